/// Why a store cannot answer a query. The query has to be changed.
public struct RecordQueryError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Not an enum, because later versions may have more codes.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let rawValue: String

        public init(_ rawValue: String) { self.rawValue = rawValue }

        public var description: String { rawValue }

        /// The name of an object or field has other characters than letters, digits and `_`, and dots between them.
        public static let name = Code("name")
        /// A value that no field can have, or a negative number of records.
        public static let value = Code("value")
        /// More conditions, values or words than a query may have.
        public static let tooLarge = Code("too-large")
        /// The place is of a page of another query.
        public static let place = Code("place")
        /// The app has declared no fields of the object for the full-text search.
        public static let notSearchable = Code("not-searchable")
    }

    public let code: Code
    /// What is wrong and what to do. Contains no value.
    public let detail: String

    package init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    public var description: String { "\(detail) [\(code)]" }
}

extension RecordQuery {
    static let maximumConditions = 200
    static let maximumDepth = 20
    static let maximumValues = 2_000
    static let maximumOrders = 8
    static let maximumTextBytes = 10_000
    static let maximumWords = 32

    /// - Throws: `RecordQueryError`.
    package func validate(search: [RecordField]) throws(RecordQueryError) {
        guard RecordField.isPlain(object) else {
            throw RecordQueryError(.name, "a query's object has a name that is not allowed")
        }
        guard limit >= 0, offset >= 0 else {
            throw RecordQueryError(.value, "a query's limit or offset is negative; use 0 or more")
        }
        guard order.count <= RecordQuery.maximumOrders else {
            throw RecordQueryError(.tooLarge, "a query has at most \(RecordQuery.maximumOrders) orders")
        }
        for order in order { try QuerySize.check(order.field) }
        if let after, after.values.count != order.count {
            throw RecordQueryError(.place, "the place is of a query with another order; start at the first page")
        }
        guard after == nil || offset == 0 else {
            throw RecordQueryError(.place, "a query has a place and an offset; set one of them")
        }
        var size = QuerySize()
        try size.add(condition, depth: 1)
        guard !condition.hasSearch || !search.isEmpty else {
            throw RecordQueryError(
                .notSearchable, "\(object) has no fields for a search; declare them in QueryIndexes.search")
        }
    }
}

/// Counts the parts of a condition. The limits are far below those of SQLite, where a statement would fail.
private struct QuerySize {
    private var conditions = 0
    private var values = 0

    mutating func add(_ condition: RecordCondition, depth: Int) throws(RecordQueryError) {
        conditions += 1
        guard conditions <= RecordQuery.maximumConditions, depth <= RecordQuery.maximumDepth else {
            throw RecordQueryError(
                .tooLarge,
                "a query has at most \(RecordQuery.maximumConditions) conditions, \(RecordQuery.maximumDepth) deep")
        }
        switch condition {
        case .always, .isDirty, .isGone: break
        case .compare(let field, _, let value):
            try QuerySize.check(field)
            try add(value)
        case .isIn(let field, let list):
            try QuerySize.check(field)
            for value in list { try add(value) }
            guard Set(list.filter { $0 != .null }.map(QuerySize.isDate)).count < 2 else {
                throw RecordQueryError(.value, "a list has dates and other values; use two conditions")
            }
        case .hasPrefix(let field, let text), .contains(let field, let text):
            try QuerySize.check(field)
            try add(.text(text))
        case .search(let text):
            try add(.text(text))
            guard SearchWords.words(of: text).count <= RecordQuery.maximumWords else {
                throw RecordQueryError(.tooLarge, "a search has at most \(RecordQuery.maximumWords) words")
            }
        case .and(let list), .or(let list):
            for condition in list { try add(condition, depth: depth + 1) }
        case .not(let condition): try add(condition, depth: depth + 1)
        }
    }

    static func check(_ field: RecordField) throws(RecordQueryError) {
        guard field.isValid else {
            throw RecordQueryError(.name, "a query's field has a name that is not allowed")
        }
    }

    private static func isDate(_ value: QueryValue) -> Bool {
        if case .date = value { true } else { false }
    }

    private mutating func add(_ value: QueryValue) throws(RecordQueryError) {
        values += 1
        guard values <= RecordQuery.maximumValues else {
            throw RecordQueryError(.tooLarge, "a query has at most \(RecordQuery.maximumValues) values")
        }
        switch value {
        case .number(let number) where number.isNaN:
            throw RecordQueryError(.value, "a query compares with a value that is not a number")
        case .text(let text) where text.utf8.count > RecordQuery.maximumTextBytes:
            throw RecordQueryError(.tooLarge, "a text of a query has at most \(RecordQuery.maximumTextBytes) bytes")
        default: break
        }
    }
}
