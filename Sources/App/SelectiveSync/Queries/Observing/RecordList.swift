/// The result of an observed query. Copying it is cheap, and results share the records that have not changed.
public struct RecordList: RandomAccessCollection, Hashable, Sendable {
    private let rows: RowList

    package init(_ rows: RowList) { self.rows = rows }

    public var startIndex: Int { 0 }

    public var endIndex: Int { rows.count }

    public subscript(position: Int) -> LocalRecord { rows[position].record }

    public static func == (one: RecordList, other: RecordList) -> Bool { one.rows.hasSameRecords(as: other.rows) }

    public func hash(into hasher: inout Hasher) { for record in self { hasher.combine(record) } }

    public func makeIterator() -> Iterator { Iterator(rows: rows.joined.makeIterator()) }

    public struct Iterator: IteratorProtocol {
        fileprivate var rows: FlattenSequence<[[ObservedRow]]>.Iterator

        public mutating func next() -> LocalRecord? { rows.next()?.record }
    }
}

/// A record and its place in a result. A class, so that a result of many records is copied quickly.
package final class ObservedRow: Sendable {
    package let record: LocalRecord
    package let place: RecordPlace

    package init(_ record: LocalRecord, _ query: RecordQuery) {
        self.record = record
        place = RecordPlace(behind: record, in: query)
    }
}
