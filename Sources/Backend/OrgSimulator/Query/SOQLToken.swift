import APNSModel
import SelectiveSync

/// A token of a query.
enum SOQLToken: Hashable {
    /// A name or keyword, as written.
    case word(Substring)
    /// The string without quotes and escapes, and what it means after LIKE.
    case string(String, SOQLPattern)
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
    ///
    /// It reads scalars, not characters: a quote with an accent after it is one character, and still ends a string.
    static func tokens(of text: String) throws(OrgError) -> [SOQLToken] {
        var tokens: [SOQLToken] = []
        var rest = text.unicodeScalars[...]
        while let scalar = rest.first {
            if scalar.properties.isWhitespace {
                rest.removeFirst()
            } else if scalar == "'" {
                tokens.append(try string(&rest))
            } else if isLetter(scalar) || scalar == "_" {
                tokens.append(.word(take(&rest) { isLetter($0) || isDigit($0) || $0 == "_" || $0 == "." }))
            } else if isDigit(scalar) || scalar == "-" || scalar == "+" {
                tokens.append(try literal(&rest))
            } else {
                tokens.append(.symbol(try symbol(&rest)))
            }
        }
        return tokens
    }

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
    }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

    private static func take(
        _ rest: inout Substring.UnicodeScalarView, while isPart: (Unicode.Scalar) -> Bool
    ) -> Substring {
        let taken = rest.prefix(while: isPart)
        rest = rest[taken.endIndex...]
        return Substring(taken)
    }

    private static func string(_ rest: inout Substring.UnicodeScalarView) throws(OrgError) -> SOQLToken {
        rest.removeFirst()
        var text = String.UnicodeScalarView()
        var pattern = SOQLPattern()
        while let scalar = rest.popFirst() {
            switch scalar {
            case "'": return .string(String(text), pattern)
            case "\\":
                let escaped = try escape(rest.popFirst())
                text.append(escaped)
                pattern.append(escaped)
            default:
                text.append(scalar)
                pattern.appendUnescaped(scalar)
            }
        }
        throw .malformedQuery("A string has no end; a quote inside one is written \\'.")
    }

    private static func escape(_ scalar: Unicode.Scalar?) throws(OrgError) -> Unicode.Scalar {
        switch scalar {
        case "n", "N": return "\n"
        case "r", "R": return "\r"
        case "t", "T": return "\t"
        case "b", "B": return "\u{8}"
        case "f", "F": return "\u{c}"
        case let scalar? where "\"'\\_%".unicodeScalars.contains(scalar): return scalar
        default:
            throw .malformedQuery("An escape in a string is none of \\n \\r \\t \\b \\f \\\" \\' \\\\ \\_ \\%.")
        }
    }

    private static func literal(_ rest: inout Substring.UnicodeScalarView) throws(OrgError) -> SOQLToken {
        let text = String(
            take(&rest) { isLetter($0) || isDigit($0) || "-+:.".unicodeScalars.contains($0) })
        if let date = ServerDate(text) { return .date(date) }
        if let number = Double(text), number.isFinite { return .number(number) }
        throw .malformedQuery(
            "'\(ShownText.cut(text, to: 40))' is neither a number nor a date-time such as 2026-05-20T20:49:32.000Z.")
    }

    private static func symbol(_ rest: inout Substring.UnicodeScalarView) throws(OrgError) -> String {
        for symbol in ["!=", "<>", "<=", ">=", "(", ")", ",", "=", "<", ">", ":"]
        where rest.starts(with: symbol.unicodeScalars) {
            rest = rest.dropFirst(symbol.unicodeScalars.count)
            return symbol == "<>" ? "!=" : symbol
        }
        throw .malformedQuery("unexpected token: '\(String(rest.prefix(1)))'")
    }
}
