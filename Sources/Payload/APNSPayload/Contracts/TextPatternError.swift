/// Why a pattern is not valid.
public struct TextPatternError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The wrong character of the pattern, counted from 1.
    public var column: Int
    public var problem: Problem

    public enum Problem: Hashable, Sendable {
        case unexpected(Character)
        case unexpectedEnd(wanted: String)
        case nothingToRepeat
        case badRepetition
        case badRange
        case unknownEscape(Character)
        case tooLarge
        case nestedTooDeep
    }

    public init(column: Int, problem: Problem) {
        self.column = column
        self.problem = problem
    }

    public var description: String {
        let what =
            switch problem {
            case .unexpected(let character):
                "\"\(character)\" is not allowed here; write \\\(character) for the character itself"
            case .unexpectedEnd(let wanted): "the pattern ends where \(wanted) is expected"
            case .nothingToRepeat: "there is nothing to repeat before this"
            case .badRepetition: "a repetition is {n}, {n,} or {n,m} with n not above m"
            case .badRange: "a range of characters must go from the lower to the higher"
            case .unknownEscape(let character):
                "\\\(character) has no meaning; known are \\d, \\w, \\s, \\n, \\r, \\t and a backslash before punctuation"
            case .tooLarge: "the pattern has more than \(TextPattern.maximumSteps) steps; use fewer repetitions"
            case .nestedTooDeep: "brackets are nested more than \(TextPatternParser.maximumDepth) deep"
            }
        return "column \(column): \(what)"
    }
}
