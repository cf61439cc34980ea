import SelectiveSync

/// How a query reads the records: by which index, and in which order they come then.
///
/// SQLite knows nothing about the number of records with a value, so the choice is made here by fixed rules.
struct QueryAccess: Equatable {
    enum Path: Equatable {
        /// The index of the keys of an object, or what SQLite prefers.
        case keys
        /// The rows that a full-text search finds.
        case search
        /// The records with edits.
        case dirty
        /// An index that the app has declared.
        case index(String)
    }

    let path: Path

    /// Leaves the choice to SQLite.
    static let any = QueryAccess(path: .keys)

    private init(path: Path) { self.path = path }

    /// - Parameter indexes: Those of the file.
    init(_ query: RecordQuery, indexes: [IndexSchema.Index]) {
        let conjuncts = query.condition.conjuncts
        if conjuncts.contains(where: \.isSearch) {
            path = .search
        } else if conjuncts.contains(.isDirty) {
            path = .dirty
        } else {
            let use = indexes.filter { $0.declared.object == query.object }
                .map { (index: $0, use: IndexUse($0.declared.fields, query)) }
                .filter { $0.use.isUseful }
                .max { $0.use < $1.use }
            path = use.map { .index($0.index.name) } ?? .keys
        }
    }

    /// The clause after the table's name.
    var clause: String {
        switch path {
        case .keys: ""
        case .search: " NOT INDEXED"
        case .dirty: " INDEXED BY dirty"
        case .index(let name): " INDEXED BY \(name)"
        }
    }
}

extension RecordCondition {
    fileprivate var isSearch: Bool {
        if case .search = self { true } else { false }
    }

    /// The field that has the same value in all records of the result.
    var fixedField: RecordField? {
        guard case .compare(let field, .equal, let value) = self else { return nil }
        return value.comparable(with: field).field
    }

    /// The field whose values lie in one range or a list.
    fileprivate var boundedField: RecordField? {
        switch self {
        case .compare(let field, let comparison, let value):
            comparison == .notEqual || value == .null ? nil : value.comparable(with: field).field
        case .isIn(let field, let values):
            values.first { $0 != .null }.map { $0.comparable(with: field).field } ?? field
        case .hasPrefix(let field, _): field
        default: nil
        }
    }
}

extension RecordQuery {
    /// The fields that have the same value in all records of the result.
    var fixedFields: Set<RecordField> { Set(condition.conjuncts.compactMap(\.fixedField)) }

    /// The orders that decide: without those by a fixed field, and those that repeat a field.
    var effectiveOrder: [(place: Int, order: RecordOrder)] {
        var known = fixedFields
        return order.enumerated().filter { known.insert($0.element.field).inserted }.map { ($0.offset, $0.element) }
    }
}

/// What an index saves in a query.
private struct IndexUse: Comparable {
    /// How many of its first fields have a fixed value.
    private let fixed: Int
    /// Whether the next one has a range.
    private let isBounded: Bool
    /// Whether the records come in the order of the query.
    private let isSorted: Bool

    init(_ fields: [RecordField], _ query: RecordQuery) {
        let known = query.fixedFields
        let fixed = fields.prefix(while: known.contains).count
        let next = fields.dropFirst(fixed)
        let bounded = Set(query.condition.conjuncts.compactMap(\.boundedField))
        let order = query.effectiveOrder.map(\.order)
        self.fixed = fixed
        isBounded = next.first.map(bounded.contains) ?? false
        isSorted =
            order.map(\.field) == Array(next) && Set(order.map(\.isDescending)).count < 2
            && order.last?.isDescending ?? query.isKeyDescending == query.isKeyDescending
    }

    var isUseful: Bool { fixed > 0 || isBounded || isSorted }

    static func < (one: IndexUse, other: IndexUse) -> Bool {
        func rank(_ use: IndexUse) -> (Int, Int, Int) { (use.fixed, use.isBounded ? 1 : 0, use.isSorted ? 1 : 0) }
        return rank(one) < rank(other)
    }
}
