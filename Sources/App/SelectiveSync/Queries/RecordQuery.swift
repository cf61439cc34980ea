import PushDispatch

/// A question to a store: which records of an object, in which order, and how many.
///
/// A query sees the user's view: fields with the user's edits, and no records that the user has deleted.
///
/// ```swift
/// let query = RecordQuery("Account", where: condition, order: [.ascending("Name")])
/// ```
public struct RecordQuery: Hashable, Sendable {
    public static let defaultLimit = 1_000

    public var object: String
    public var condition: RecordCondition
    /// The first decides; records that are equal in all come in the order of their keys, which descends if the last order
    /// does.
    public var order: [RecordOrder]
    /// The maximum number of records, from 0. More come with `RecordPage.next`.
    public var limit: Int
    /// How many records are skipped, from 0. `after` costs less than a large offset, and neither skips nor repeats a record
    /// when others come and go.
    public var offset = 0
    /// Only records after this place, of a page of the same query. Without an offset.
    public var after: RecordPlace?
    /// Whether records that the user has deleted, and whose deletion is not uploaded yet, are found too.
    public var includesDeleted = false

    public init(
        _ object: String, where condition: RecordCondition = .always, order: [RecordOrder] = [],
        limit: Int = RecordQuery.defaultLimit
    ) {
        self.object = object
        self.condition = condition
        self.order = order
        self.limit = limit
    }
}

/// One order of a query: first records without a value, then numbers, then text. Descending is the exact opposite.
public struct RecordOrder: Hashable, Sendable {
    public var field: RecordField
    public var isDescending: Bool

    public static func ascending(_ field: RecordField) -> RecordOrder {
        RecordOrder(field: field, isDescending: false)
    }

    public static func descending(_ field: RecordField) -> RecordOrder { RecordOrder(field: field, isDescending: true) }

    public static func ascending(_ name: String) -> RecordOrder { ascending(RecordField(name)) }

    public static func descending(_ name: String) -> RecordOrder { descending(RecordField(name)) }
}

/// The records of a query.
public struct RecordPage: Hashable, Sendable {
    public var records: [LocalRecord]
    /// The value of `RecordQuery.after` for the next page; nil after the last record.
    public var next: RecordPlace?

    package init(_ records: [LocalRecord], next: RecordPlace?) {
        self.records = records
        self.next = next
    }
}

/// A place in the result of a query, behind one record. It stays valid when records change.
public struct RecordPlace: Hashable, Sendable {
    /// One for each order.
    package let values: [FieldValue]
    /// `RecordKey.description`.
    package let key: String

    package init(behind record: LocalRecord, in query: RecordQuery) {
        values = query.order.map { $0.field.value(in: record.fields) }
        key = record.key.description
    }
}

// Evaluation in memory.
extension RecordQuery {
    /// Whether ties are in the descending order of keys.
    package var isKeyDescending: Bool { order.last?.isDescending ?? false }

    /// - Returns: Whether the first place comes before the other.
    package func isBefore(_ one: RecordPlace, _ other: RecordPlace) -> Bool {
        for (index, order) in order.enumerated() {
            let comparison = one.values[index].compared(to: other.values[index])
            if comparison != 0 { return order.isDescending ? comparison > 0 : comparison < 0 }
        }
        return isKeyDescending ? other.key.precedesByBytes(one.key) : one.key.precedesByBytes(other.key)
    }

    /// Whether the record belongs to the result, apart from limit and offset.
    package func contains(_ record: LocalRecord, search: [RecordField]) -> Bool {
        guard includesDeleted || !record.changes.contains(.deleted), condition.matches(record, search: search) else {
            return false
        }
        guard let after else { return true }
        return isBefore(after, RecordPlace(behind: record, in: self))
    }

    /// The result among `records`.
    package func page(of records: some Sequence<LocalRecord>, search: [RecordField]) -> RecordPage {
        let found = records.filter { contains($0, search: search) }
            .map { (place: RecordPlace(behind: $0, in: self), record: $0) }
            .sorted { isBefore($0.place, $1.place) }
            .dropFirst(offset)
        let page = found.prefix(limit)
        return RecordPage(page.map(\.record), next: found.count > page.count ? page.last?.place : nil)
    }

    /// The query whose result is counted: without limit, offset and place.
    package var counted: RecordQuery {
        var query = self
        (query.limit, query.offset, query.after, query.order) = (.max, 0, nil, [])
        return query
    }
}
