/// One step of a pattern. A text fits when it gets from the first step to behind the last.
enum TextPatternStep: Hashable, Sendable {
    /// One character of the set, then the next step.
    case scalar(TextPatternSet)
    case jump(Int)
    /// Both at once.
    case fork(Int, Int)

    /// The same step `offset` places further on.
    func moved(by offset: Int) -> TextPatternStep {
        switch self {
        case .scalar: self
        case .jump(let target): .jump(target + offset)
        case .fork(let first, let second): .fork(first + offset, second + offset)
        }
    }
}

/// A set of characters.
struct TextPatternSet: Hashable, Sendable {
    var ranges: [ClosedRange<Unicode.Scalar>]
    var isInverted = false

    init(_ ranges: [ClosedRange<Unicode.Scalar>], isInverted: Bool = false) {
        self.ranges = ranges
        self.isInverted = isInverted
    }

    func contains(_ scalar: Unicode.Scalar) -> Bool { ranges.contains { $0.contains(scalar) } != isInverted }

    /// What `.` stands for: everything but an end of line.
    static let any = TextPatternSet(["\n"..."\n", "\r"..."\r"], isInverted: true)

    /// What a letter behind a backslash stands for; nil when it has no meaning of its own.
    static func escaped(_ letter: Unicode.Scalar) -> [ClosedRange<Unicode.Scalar>]? {
        switch letter {
        case "d": ["0"..."9"]
        case "w": ["0"..."9", "A"..."Z", "a"..."z", "_"..."_"]
        case "s": [" "..." ", "\t"..."\r"]
        case "n": ["\n"..."\n"]
        case "r": ["\r"..."\r"]
        case "t": ["\t"..."\t"]
        default: nil
        }
    }
}
