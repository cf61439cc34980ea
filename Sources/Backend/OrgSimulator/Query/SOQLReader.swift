import PushDispatch
import SelectiveSync

/// Parses a query and checks it against the org's objects.
struct SOQLReader {
    private let tokens: [SOQLToken]
    private var position = 0
    private let now: ServerDate
    private var shape = OrgObject.pushDevice
    private let objects: (Substring) -> OrgObject?
    private let isReadable: (OrgObject, String) -> Bool

    private static let maximumNesting = 32
    private static let maximumFields = 500
    private static let maximumOrder = 32
    /// The most relationships in a field, as the platform allows. A path is followed by recursion, one level for each.
    private static let maximumRelationships = 5

    /// - Parameters:
    ///   - shape: Finds an object by name, ignoring case.
    ///   - isReadable: Whether the user may read a field.
    ///   - now: The time from which TODAY is computed.
    static func read(
        _ text: String, at now: ServerDate, shape: @escaping (Substring) -> OrgObject?,
        isReadable: @escaping (OrgObject, String) -> Bool
    ) throws(OrgError) -> SOQLQuery {
        guard text.utf8.count <= SOQLQuery.maximumBytes else {
            throw .malformedQuery("The query has more than \(SOQLQuery.maximumBytes) bytes.")
        }
        var reader = SOQLReader(tokens: try SOQLToken.tokens(of: text), now: now, shape, isReadable)
        return try reader.query()
    }

    private init(
        tokens: [SOQLToken], now: ServerDate, _ objects: @escaping (Substring) -> OrgObject?,
        _ isReadable: @escaping (OrgObject, String) -> Bool
    ) {
        self.tokens = tokens
        self.now = now
        self.objects = objects
        self.isReadable = isReadable
    }

    // MARK: Tokens

    private var current: SOQLToken? { position < tokens.count ? tokens[position] : nil }

    private func unexpected(_ wanted: String) -> OrgError {
        .malformedQuery(
            current.map { "unexpected token: \($0.shown); \(wanted) is wanted" }
                ?? "unexpected end of the query; \(wanted) is wanted")
    }

    private func isKeyword(_ word: String) -> Bool {
        if case .word(let text)? = current { text.uppercased() == word } else { false }
    }

    private mutating func takeKeyword(_ word: String) -> Bool {
        guard isKeyword(word) else { return false }
        position += 1
        return true
    }

    private mutating func expect(_ word: String) throws(OrgError) {
        guard takeKeyword(word) else { throw unexpected(word) }
    }

    private mutating func takeSymbol(_ symbol: String) -> Bool {
        guard current == .symbol(symbol) else { return false }
        position += 1
        return true
    }

    private mutating func expectSymbol(_ symbol: String) throws(OrgError) {
        guard takeSymbol(symbol) else { throw unexpected("'\(symbol)'") }
    }

    private mutating func name(_ wanted: String) throws(OrgError) -> Substring {
        guard case .word(let text)? = current else { throw unexpected(wanted) }
        position += 1
        return text
    }

    // MARK: Clauses

    private mutating func query() throws(OrgError) -> SOQLQuery {
        try expect("SELECT")
        var names: [Substring] = []
        var isCount = false
        repeat {
            let name = try name("a field")
            if names.isEmpty, name.uppercased() == "COUNT", takeSymbol("(") {
                try expectSymbol(")")
                isCount = true
                break
            }
            names.append(name)
        } while takeSymbol(",")
        guard names.count <= SOQLReader.maximumFields else {
            throw .malformedQuery("A query takes \(SOQLReader.maximumFields) fields.")
        }
        try expect("FROM")
        shape = try object()
        var fields: [String] = []
        for name in names {
            let field = try field(name)
            guard !fields.contains(field) else { throw .malformedQuery("duplicate field selected: \(field)") }
            fields.append(field)
        }
        let condition = takeKeyword("WHERE") ? try condition(depth: 0) : nil
        guard condition?.hasMisplacedSelection() != true else {
            throw .malformedQuery("Semi join sub-selects are only allowed at the top level WHERE expressions.")
        }
        var order: [SOQLQuery.Order] = []
        if takeKeyword("ORDER") {
            try expect("BY")
            repeat {
                order.append(try self.order())
                guard order.count <= SOQLReader.maximumOrder else {
                    throw .malformedQuery("ORDER BY takes at most \(SOQLReader.maximumOrder) fields.")
                }
            } while takeSymbol(",")
        }
        let limit = takeKeyword("LIMIT") ? try count(upTo: .max) : nil
        let offset = takeKeyword("OFFSET") ? try count(upTo: 2_000) : 0
        guard position == tokens.count else { throw unexpected("the end of the query") }
        return SOQLQuery(
            fields: isCount ? [] : fields, object: shape.name, condition: condition, order: order, limit: limit,
            offset: offset)
    }

    private mutating func object() throws(OrgError) -> OrgObject {
        let name = try name("an object")
        guard let found = objects(name) else { throw .unknownObject(name) }
        return found
    }

    /// A field in a condition: also one of a related record, such as `Account.Name` or `Visit__r.Name`.
    ///
    /// - Returns: The path with the fields that refer to the records: `AccountId.Name`.
    private func path(_ name: Substring) throws(OrgError) -> String {
        var names = name.split(separator: ".", omittingEmptySubsequences: false)
        let last = names.removeLast()
        guard names.count <= SOQLReader.maximumRelationships else {
            throw .malformedQuery(
                "A field follows \(names.count) relationships; at most \(SOQLReader.maximumRelationships) are allowed.")
        }
        var (reader, path) = (self, "")
        for relation in names {
            let isCustom = relation.hasSuffix("__r")
            let other = isCustom ? "\(relation.dropLast())c" : String(relation)
            guard let target = objects(Substring(other)) else {
                throw .invalidField(String(name), of: shape.name)
            }
            path += try reader.field(Substring(isCustom ? other : "\(relation)Id")) + "."
            reader.shape = target
        }
        return try path + reader.field(last)
    }

    private func field(_ name: Substring) throws(OrgError) -> String {
        guard let field = shape.field(named: name), isReadable(shape, field) else {
            throw .invalidField(String(name), of: shape.name)
        }
        return field
    }

    private mutating func order() throws(OrgError) -> SOQLQuery.Order {
        let field = try field(try name("a field"))
        let isDescending = !takeKeyword("ASC") && takeKeyword("DESC")
        var putsNullsLast = false
        if takeKeyword("NULLS") {
            putsNullsLast = !takeKeyword("FIRST")
            if putsNullsLast { try expect("LAST") }
        }
        return SOQLQuery.Order(field: field, isDescending: isDescending, putsNullsLast: putsNullsLast)
    }

    private mutating func count(upTo maximum: Int) throws(OrgError) -> Int {
        guard case .number(let number)? = current, let count = Int(exactly: number), (0...maximum).contains(count)
        else { throw unexpected("a whole number\(maximum == .max ? "" : " up to \(maximum)")") }
        position += 1
        return count
    }

    // MARK: Conditions

    private mutating func condition(depth: Int) throws(OrgError) -> SOQLCondition {
        guard depth < SOQLReader.maximumNesting else {
            throw .malformedQuery("Conditions nest deeper than \(SOQLReader.maximumNesting).")
        }
        var parts = [try part(depth)]
        let isAny = isKeyword("OR")
        while takeKeyword(isAny ? "OR" : "AND") { parts.append(try part(depth)) }
        guard !isKeyword("OR"), !isKeyword("AND") else {
            throw .malformedQuery("AND and OR side by side need parentheses.")
        }
        return parts.count == 1 ? parts[0] : isAny ? .any(parts) : .all(parts)
    }

    private mutating func part(_ depth: Int) throws(OrgError) -> SOQLCondition {
        if takeKeyword("NOT") {
            guard depth < SOQLReader.maximumNesting else {
                throw .malformedQuery("Conditions nest deeper than \(SOQLReader.maximumNesting).")
            }
            return .not(try part(depth + 1))
        }
        if takeSymbol("(") {
            let inner = try condition(depth: depth + 1)
            try expectSymbol(")")
            return inner
        }
        let field = try path(try name("a field"))
        if takeKeyword("IN") { return try among(field, depth) }
        if takeKeyword("NOT") {
            try expect("IN")
            return .not(try among(field, depth))
        }
        if takeKeyword("LIKE") { return .like(field: field, try pattern(for: field)) }
        guard case .symbol(let text)? = current, let operation = SOQLOperator(rawValue: text) else {
            throw unexpected("a comparison, IN or LIKE")
        }
        position += 1
        return .compare(field: field, operation, try value(for: field))
    }

    /// A list of values, or a query for them.
    private mutating func among(_ field: String, _ depth: Int) throws(OrgError) -> SOQLCondition {
        try expectSymbol("(")
        guard takeKeyword("SELECT") else { return .among(field: field, try values(for: field)) }
        guard depth < SOQLReader.maximumNesting else {
            throw .malformedQuery("Conditions nest deeper than \(SOQLReader.maximumNesting).")
        }
        let column = try name("a field")
        try expect("FROM")
        let outer = shape
        shape = try object()
        let selected = try self.field(column)
        let condition = takeKeyword("WHERE") ? try condition(depth: depth + 1) : nil
        let selection = SOQLSelection(object: shape.name, field: selected, condition: condition)
        try expectSymbol(")")
        shape = outer
        return .selected(field: field, selection)
    }

    /// The values of a list whose parenthesis was read.
    private mutating func values(for field: String) throws(OrgError) -> Set<SOQLValue> {
        var values: Set<SOQLValue> = []
        repeat {
            let value = try value(for: field)
            guard case .span = value else {
                values.insert(value)
                continue
            }
            throw .malformedQuery("A span of days cannot stand in a list.")
        } while takeSymbol(",")
        try expectSymbol(")")
        return values
    }

    private mutating func value(for field: String) throws(OrgError) -> SOQLValue {
        guard let token = current else { throw unexpected("a value") }
        position += 1
        switch token {
        case .string(let text, _):
            guard !SOQLValue.isDate(field) else {
                throw .invalidFilter(
                    "value of filter criterion for field '\(field)' must be of type dateTime and should not be enclosed in quotes",
                    field: field)
            }
            if field == "Id" || field == "OwnerId", RecordID(text) == nil {
                throw OrgError(
                    status: 400, code: "INVALID_QUERY_FILTER_OPERATOR", message: "invalid ID field: \(field)",
                    fields: [field])
            }
            return SOQLValue(.string(text), isID: SOQLValue.isID(field))
        case .number(let number): return try typed(.number(number), field)
        case .date(let date):
            guard SOQLValue.isDate(field) else { return try typed(.date(date), field) }
            return .date(date)
        case .word(let word): return try self.word(word, field)
        case .symbol:
            position -= 1
            throw unexpected("a value")
        }
    }

    private mutating func pattern(for field: String) throws(OrgError) -> SOQLPattern {
        guard case .string(_, let pattern)? = current else { throw unexpected("a string") }
        guard !SOQLValue.isDate(field), !["Id", "OwnerId", "IsDeleted"].contains(field) else {
            throw .invalidFilter("invalid operator on the field '\(field)': LIKE takes fields of text", field: field)
        }
        position += 1
        return pattern
    }

    private mutating func word(_ word: Substring, _ field: String) throws(OrgError) -> SOQLValue {
        switch word.uppercased() {
        case "NULL": return .null
        case "TRUE": return try typed(.bool(true), field)
        case "FALSE": return try typed(.bool(false), field)
        case "TODAY": return try span(field, from: 0, days: 1)
        case "YESTERDAY": return try span(field, from: -1, days: 1)
        case "LAST_N_DAYS":
            try expectSymbol(":")
            let days = try count(upTo: 36_500)
            return try span(field, from: -Int64(days), days: Int64(days) + 1)
        default:
            position -= 1
            throw unexpected("a value; a string needs quotes")
        }
    }

    /// Checks the type of the value: the org's date, id and flag fields compare only with values of their own type.
    private func typed(_ value: SOQLValue, _ field: String) throws(OrgError) -> SOQLValue {
        let isWrong =
            switch value {
            case .bool: SOQLValue.isDate(field) || SOQLValue.isID(field)
            case .number: SOQLValue.isDate(field) || SOQLValue.isID(field) || field == "IsDeleted"
            default: true
            }
        guard !isWrong else {
            throw .invalidFilter(
                "value of filter criterion for field '\(field)' is of another type than the field", field: field)
        }
        return value
    }

    private func span(_ field: String, from first: Int64, days: Int64) throws(OrgError) -> SOQLValue {
        guard SOQLValue.isDate(field) else { return try typed(.span(now, now), field) }
        let start = ServerDate(millisecondsSince1970: (now.day + first) * OrgSettings.day)
        return .span(start, start.adding(milliseconds: days * OrgSettings.day))
    }
}
