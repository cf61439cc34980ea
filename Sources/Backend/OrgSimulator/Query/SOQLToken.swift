import APNSModel
import SelectiveSync

/// A token of a query.
enum SOQLToken: Hashable {
    /// A name or keyword, as written.
    case word(Substring)
    /// The string without quotes and escapes.
    case string(String)
    case number(Double)
    case date(ServerDate)
    /// `(`, `)`, `,`, `=`, `!=`, `<`, `<=`, `>`, `>=`, `:`
    case symbol(String)

    /// The token in a message, shortened if necessary.
    var shown: String {
        switch self {
        case .word(let text): "'\(ShownText.cut(String(text), to: 40))'"
        case .string: "a string"
        case .number(let number): "'\(number)'"
        case .date(let date): "'\(date)'"
        case .symbol(let text): "'\(text)'"
        }
    }
}

extension SOQLToken {
    /// Splits a query into tokens.
    static func tokens(of text: String) throws(OrgError) -> [SOQLToken] {
        var tokens: [SOQLToken] = []
        var rest = Substring(text)
        while let character = rest.first {
            if character.isWhitespace {
                rest.removeFirst()
            } else if character == "'" {
                tokens.append(.string(try string(&rest)))
            } else if character.isASCII && (character.isLetter || character == "_") {
                let word = rest.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == ".") }
                tokens.append(.word(word))
                rest = rest.dropFirst(word.count)
            } else if character.isASCII && (character.isNumber || character == "-" || character == "+") {
                tokens.append(try literal(&rest))
            } else {
                tokens.append(.symbol(try symbol(&rest)))
            }
        }
        return tokens
    }

    private static func string(_ rest: inout Substring) throws(OrgError) -> String {
        rest.removeFirst()
        var text = ""
        while let character = rest.popFirst() {
            switch character {
            case "'": return text
            case "\\":
                switch rest.popFirst() {
                case "n", "N": text.append("\n")
                case "r", "R": text.append("\r")
                case "t", "T": text.append("\t")
                case "b", "B": text.append("\u{8}")
                case "f", "F": text.append("\u{c}")
                case let character? where "\"'\\_%".contains(character): text.append(character)
                default:
                    throw .malformedQuery("An escape in a string is none of \\n \\r \\t \\b \\f \\\" \\' \\\\ \\_ \\%.")
                }
            default: text.append(character)
            }
        }
        throw .malformedQuery("A string has no end; a quote inside one is written \\'.")
    }

    private static func literal(_ rest: inout Substring) throws(OrgError) -> SOQLToken {
        let text = rest.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "-+:.".contains($0)) }
        rest = rest.dropFirst(text.count)
        if let date = ServerDate(String(text)) { return .date(date) }
        if let number = Double(text), number.isFinite { return .number(number) }
        throw .malformedQuery(
            "'\(ShownText.cut(String(text), to: 40))' is neither a number nor a date-time such as 2026-05-20T20:49:32.000Z."
        )
    }

    private static func symbol(_ rest: inout Substring) throws(OrgError) -> String {
        for symbol in ["!=", "<>", "<=", ">=", "(", ")", ",", "=", "<", ">", ":"] where rest.hasPrefix(symbol) {
            rest = rest.dropFirst(symbol.count)
            return symbol == "<>" ? "!=" : symbol
        }
        throw .malformedQuery("unexpected token: '\(rest.prefix(1))'")
    }
}
