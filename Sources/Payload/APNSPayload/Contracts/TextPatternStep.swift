/// One step of a pattern. A string matches if it leads from the first step to the end of the last.
enum TextPatternStep: Hashable, Sendable {
    /// Consumes one character of the set and continues with the next step.
    case scalar(TextPatternSet)
    case jump(Int)
    /// Continues with both steps.
    case fork(Int, Int)

    /// The same step, with its targets moved by `offset`.
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

    /// The characters that `.` matches: all but line ends.
    static let any = TextPatternSet(["\n"..."\n", "\r"..."\r"], isInverted: true)

    /// The characters that a letter after a backslash matches; nil if it has no special meaning.
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
