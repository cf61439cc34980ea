/// A regular expression that a whole string must match. The syntax is the portable one of RFC 9485 (I-Regexp), without
/// `\p`, and with `\d` for `[0-9]`, `\w` for `[0-9A-Za-z_]` and `\s` for white space.
///
/// The time for matching is proportional to the length of the string times that of the pattern, so that no pattern can
/// block a build.
public struct TextPattern: Hashable, Sendable {
    public let source: String
    let program: [TextPatternStep]

    /// The limit of steps in a pattern. A repetition such as `{1000}` has the steps of its content 1000 times.
    public static let maximumSteps = 10_000

    /// - Throws: An error that says what is wrong with the pattern, and where.
    public init(_ source: String) throws(TextPatternError) {
        var parser = TextPatternParser(source)
        program = try parser.parse()
        self.source = source
    }

    /// Whether the whole of `text` matches.
    public func matches(_ text: String) -> Bool {
        var current = TextPatternThreads(count: program.count + 1)
        var next = current
        current.add(0, of: program)
        for scalar in text.unicodeScalars {
            next.removeAll()
            for thread in current.steps {
                guard thread < program.count, case .scalar(let set) = program[thread], set.contains(scalar) else {
                    continue
                }
                next.add(thread + 1, of: program)
            }
            swap(&current, &next)
            if current.steps.isEmpty { return false }
        }
        return current.steps.contains(program.count)
    }
}

extension TextPattern: CustomStringConvertible {
    public var description: String { source }
}

/// The steps of a pattern that are reached after some characters.
private struct TextPatternThreads {
    private(set) var steps: [Int] = []
    private var isIn: [Bool]

    init(count: Int) { isIn = Array(repeating: false, count: count) }

    mutating func removeAll() {
        for step in steps { isIn[step] = false }
        steps.removeAll(keepingCapacity: true)
    }

    /// Adds a step and all steps that can be reached from it without a character. Forks and jumps are added as well, so
    /// that each is followed only once.
    mutating func add(_ step: Int, of program: [TextPatternStep]) {
        var waiting = [step]
        while let step = waiting.popLast() {
            guard !isIn[step] else { continue }
            isIn[step] = true
            steps.append(step)
            guard step < program.count else { continue }
            switch program[step] {
            case .scalar: break
            case .jump(let target): waiting.append(target)
            case .fork(let first, let second): waiting += [second, first]
            }
        }
    }
}
