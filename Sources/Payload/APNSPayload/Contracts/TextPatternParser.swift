/// Parses a pattern into steps.
struct TextPatternParser {
    private let source: [Unicode.Scalar]
    private var position = 0
    private var depth = 0

    static let maximumDepth = 64

    init(_ source: String) { self.source = Array(source.unicodeScalars) }

    mutating func parse() throws(TextPatternError) -> [TextPatternStep] {
        let program = try alternatives()
        guard position == source.count else { throw unexpected() }
        return program
    }

    private var current: Unicode.Scalar? { position < source.count ? source[position] : nil }

    private func error(_ problem: TextPatternError.Problem) -> TextPatternError {
        TextPatternError(column: position + 1, problem: problem)
    }

    private func unexpected() -> TextPatternError { error(.unexpected(Character(source[position]))) }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard current == scalar else { return false }
        position += 1
        return true
    }

    private mutating func alternatives() throws(TextPatternError) -> [TextPatternStep] {
        var program = try sequence()
        while take("|") {
            let other = try sequence()
            let second = program.count + 2
            program =
                [.fork(1, second)] + program.map { $0.moved(by: 1) } + [.jump(second + other.count)]
                + other.map { $0.moved(by: second) }
            try check(program)
        }
        return program
    }

    private mutating func sequence() throws(TextPatternError) -> [TextPatternStep] {
        var program: [TextPatternStep] = []
        while let scalar = current, scalar != "|", scalar != ")" {
            let piece = try repeated(atom())
            program += piece.map { $0.moved(by: program.count) }
            try check(program)
        }
        return program
    }

    private func check(_ program: [TextPatternStep]) throws(TextPatternError) {
        if program.count > TextPattern.maximumSteps { throw error(.tooLarge) }
    }

    private mutating func atom() throws(TextPatternError) -> [TextPatternStep] {
        switch source[position] {
        case "(":
            guard depth < TextPatternParser.maximumDepth else { throw error(.nestedTooDeep) }
            position += 1
            depth += 1
            let program = try alternatives()
            guard take(")") else { throw error(.unexpectedEnd(wanted: "\")\"")) }
            depth -= 1
            return program
        case "[":
            position += 1
            return [.scalar(try set())]
        case ".":
            position += 1
            return [.scalar(.any)]
        case "\\": return [.scalar(TextPatternSet(try escape()))]
        case "*", "+", "?", "{": throw error(.nothingToRepeat)
        case "]", "}", "^", "$": throw unexpected()
        case let scalar:
            position += 1
            return [.scalar(TextPatternSet([scalar...scalar]))]
        }
    }

    private mutating func escape() throws(TextPatternError) -> [ClosedRange<Unicode.Scalar>] {
        position += 1
        guard let letter = current else { throw error(.unexpectedEnd(wanted: "a character after the backslash")) }
        let isPunctuation = letter.isASCII && !letter.properties.isAlphabetic && !("0"..."9").contains(letter)
        guard let ranges = TextPatternSet.escaped(letter) ?? (isPunctuation ? [letter...letter] : nil) else {
            throw error(.unknownEscape(Character(letter)))
        }
        position += 1
        return ranges
    }

    /// Parses the content of square brackets.
    private mutating func set() throws(TextPatternError) -> TextPatternSet {
        let isInverted = take("^")
        var ranges: [ClosedRange<Unicode.Scalar>] = []
        while !take("]") {
            guard let scalar = current else { throw error(.unexpectedEnd(wanted: "\"]\"")) }
            if scalar == "[" { throw unexpected() }
            var piece = [scalar...scalar]
            if scalar == "\\" { piece = try escape() } else { position += 1 }
            let isRange = current == "-" && position + 1 < source.count && source[position + 1] != "]"
            guard isRange, piece.count == 1, piece[0].lowerBound == piece[0].upperBound else {
                ranges += piece
                continue
            }
            position += 1
            var end = source[position]
            if end == "\\" { end = try escape()[0].lowerBound } else { position += 1 }
            guard piece[0].lowerBound <= end else { throw error(.badRange) }
            ranges.append(piece[0].lowerBound...end)
        }
        guard !ranges.isEmpty else { throw error(.unexpectedEnd(wanted: "a character between the brackets")) }
        return TextPatternSet(ranges, isInverted: isInverted)
    }

    private mutating func repeated(_ atom: [TextPatternStep]) throws(TextPatternError) -> [TextPatternStep] {
        guard let (least, most) = try repetition() else { return atom }
        guard atom.count * max(least, most ?? least) <= TextPattern.maximumSteps else { throw error(.tooLarge) }
        var program: [TextPatternStep] = []
        for _ in 0..<least { program += atom.map { $0.moved(by: program.count) } }
        guard let most else {
            let start = program.count
            let end = start + atom.count + 2
            return program + [.fork(start + 1, end)] + atom.map { $0.moved(by: start + 1) } + [.jump(start)]
        }
        let end = program.count + (most - least) * (atom.count + 1)
        for _ in least..<most {
            let start = program.count
            program.append(.fork(start + 1, end))
            program += atom.map { $0.moved(by: start + 1) }
        }
        return program
    }

    /// The minimum and maximum number of repetitions; the maximum is nil if unlimited. Nil if nothing is repeated.
    private mutating func repetition() throws(TextPatternError) -> (Int, Int?)? {
        if take("*") { return (0, nil) }
        if take("+") { return (1, nil) }
        if take("?") { return (0, 1) }
        guard take("{") else { return nil }
        let least = try number()
        guard take(",") else {
            guard take("}") else { throw error(.badRepetition) }
            return (least, least)
        }
        if take("}") { return (least, nil) }
        let most = try number()
        guard take("}"), least <= most else { throw error(.badRepetition) }
        return (least, most)
    }

    private mutating func number() throws(TextPatternError) -> Int {
        var value: Int?
        while let digit = current.flatMap({ Int(String($0)) }) {
            value = (value ?? 0) * 10 + digit
            position += 1
            if let value, value > TextPattern.maximumSteps { throw error(.tooLarge) }
        }
        guard let value else { throw error(.badRepetition) }
        return value
    }
}
