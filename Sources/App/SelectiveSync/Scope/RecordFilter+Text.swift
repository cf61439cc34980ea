// The server's query language. A date has no quotes; a string is escaped.
extension RecordFilter {
    /// The condition after WHERE. A condition of several parts is in parentheses.
    ///
    /// - Throws: `badRequest` for a name that is not allowed in a query, and for a number that is not finite.
    public func text() throws(FetchError) -> String {
        switch self {
        case .compare(let field, let comparison, let value):
            return "\(try QueryName.field(field)) \(comparison.rawValue) \(try value.text())"
        case .among(let field, let values):
            let name = try QueryName.field(field)
            guard !values.isEmpty else { return RecordFilter.never }
            var texts: [String] = []
            for value in values { texts.append(try value.text()) }
            return "\(name) IN (\(texts.joined(separator: ",")))"
        case .hasPrefix(let field, let prefix):
            return "\(try QueryName.field(field)) LIKE '\(QueryText.pattern(prefix))%'"
        case .contains(let field, let part):
            return "\(try QueryName.field(field)) LIKE '%\(QueryText.pattern(part))%'"
        case .related(let field, let column, let object, let filter):
            let condition = try filter.map { (filter) throws(FetchError) in " WHERE \(try filter.text())" } ?? ""
            let selection = "SELECT \(try QueryName.field(column)) FROM \(try QueryName.object(object))\(condition)"
            return "\(try QueryName.field(field)) IN (\(selection))"
        case .all(let parts): return try RecordFilter.joined(parts, "AND", empty: RecordFilter.always)
        case .any(let parts): return try RecordFilter.joined(parts, "OR", empty: RecordFilter.never)
        case .not(let part): return "(NOT \(try part.text()))"
        }
    }

    /// Conditions that all have to hold. The server takes an inner query only if it is neither in parentheses nor under OR.
    var conjuncts: [RecordFilter] {
        if case .all(let parts) = self { parts.flatMap(\.conjuncts) } else { [self] }
    }

    // The language has no constants; each record has an id.
    private static let always = "Id != null"
    private static let never = "Id = null"

    private static func joined(
        _ parts: [RecordFilter], _ word: String, empty: String
    ) throws(FetchError) -> String {
        guard let first = parts.first else { return empty }
        guard parts.count > 1 else { return try first.text() }
        var texts: [String] = []
        for part in parts { texts.append(try part.text()) }
        return "(\(texts.joined(separator: " \(word) ")))"
    }
}

extension RecordFilter.Value {
    func text() throws(FetchError) -> String {
        switch self {
        case .string(let text): return "'\(QueryText.escaped(text))'"
        case .id(let id): return "'\(id)'"
        case .integer(let number): return String(number)
        case .number(let number):
            guard number.isFinite else {
                throw FetchError(.badRequest, advice: .stop, "a filter has a number that is not finite")
            }
            return String(number)
        case .bool(let flag): return flag ? "true" : "false"
        case .date(let date): return date.queryLiteral
        case .lastDays(let days): return "LAST_N_DAYS:\(max(0, days))"
        case .null: return "null"
        }
    }
}

/// Strings inside the quotes of a query.
enum QueryText {
    static func escaped(_ text: String) -> String { escaped(text, isPattern: false) }

    /// The text of a pattern in which each character stands for itself.
    static func pattern(_ text: String) -> String { escaped(text, isPattern: true) }

    private static func escaped(_ text: String, isPattern: Bool) -> String {
        var escaped = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            let letter: Unicode.Scalar? =
                switch scalar {
                case "\n": "n"
                case "\r": "r"
                case "\t": "t"
                case "\u{8}": "b"
                case "\u{c}": "f"
                case "\\", "'", "\"": scalar
                case "%", "_": isPattern ? scalar : nil
                default: nil
                }
            if letter != nil { escaped.append("\\") }
            escaped.append(letter ?? scalar)
        }
        return String(escaped)
    }
}

/// Names in a query, which cannot be quoted. They are checked, so that none can change its meaning.
enum QueryName {
    /// A field, or the path of a field of a related record.
    ///
    /// - Throws: `badRequest` for a name that is not made of letters, digits, `_` and single dots.
    static func field(_ name: String) throws(FetchError) -> String {
        let parts = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(isPlain) }) else { throw refusal }
        return name
    }

    static func object(_ name: String) throws(FetchError) -> String {
        guard !name.isEmpty, name.utf8.allSatisfy(isPlain) else { throw refusal }
        return name
    }

    private static var refusal: FetchError {
        FetchError(.badRequest, advice: .stop, "a field or object has a name that is not allowed in a query")
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
