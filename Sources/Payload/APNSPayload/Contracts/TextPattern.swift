/// A regular expression that the whole of a text has to fit, of the kind that works the same everywhere: what RFC 9485
/// (I-Regexp) allows, without `\p`, and with `\d` for `[0-9]`, `\w` for `[0-9A-Za-z_]` and `\s` for white space.
///
/// Matching takes time in proportion to text and pattern, whatever the pattern is, so that none can hold up a build.
public struct TextPattern: Hashable, Sendable {
    public let source: String
    let program: [TextPatternStep]

    /// How many steps a pattern may come to; repetitions such as `{1000}` cost one for each time.
    public static let maximumSteps = 10_000

    /// - Throws: What is wrong with the pattern, and where.
    public init(_ source: String) throws(TextPatternError) {
        var parser = TextPatternParser(source)
        program = try parser.parse()
        self.source = source
    }

    /// Whether all of `text` fits.
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

/// The places of a pattern that a text has got to.
private struct TextPatternThreads {
    private(set) var steps: [Int] = []
    private var isIn: [Bool]

    init(count: Int) { isIn = Array(repeating: false, count: count) }

    mutating func removeAll() {
        for step in steps { isIn[step] = false }
        steps.removeAll(keepingCapacity: true)
    }

    /// Adds a step and all that can be reached from it without a character. Forks and jumps are kept among the steps, so
    /// that they are followed once.
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
