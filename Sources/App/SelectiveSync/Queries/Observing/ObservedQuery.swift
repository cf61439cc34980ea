/// Keeps the result of a query in step with changes of records, without reading the other records again.
///
/// A result with a limit may lack records that come after it. If one of its own records goes, or moves to the end, only the
/// store knows which record follows, so the query has to be run again.
package struct ObservedQuery: ChangeFollower {
    package let query: RecordQuery
    private let search: [RecordField]
    /// Nil until the first result.
    private var rows: RowList?
    private var rowsByKey: [RecordKey: ObservedRow] = [:]
    /// Whether no record comes after the result.
    private var isComplete = false
    private var delivered: RecordList?

    package init(_ query: RecordQuery, search: [RecordField]) {
        self.query = query
        self.search = search
    }

    /// The store has run the query.
    package mutating func load(_ page: RecordPage) -> FollowerStep<RecordList> {
        let loaded = page.records.map { record in
            // Equal records stay the same objects, so that the comparison of two results is quick.
            if let row = rowsByKey[record.key], row.record == record { row } else { ObservedRow(record, query) }
        }
        rows = RowList(loaded)
        rowsByKey = Dictionary(loaded.map { ($0.record.key, $0) }, uniquingKeysWith: { _, last in last })
        isComplete = page.next == nil
        return deliver()
    }

    private mutating func deliver() -> FollowerStep<RecordList> {
        let list = RecordList(rows ?? RowList([]))
        guard list != delivered else { return .nothing }
        delivered = list
        return .changed(list)
    }

    /// Records have changed since the last result.
    package mutating func take(_ versions: [RecordVersion]) -> FollowerStep<RecordList> {
        // Where the result begins depends on records before it.
        guard query.offset == 0, var rows else { return .fetch }
        var isChanged = false
        for version in versions {
            let old = rowsByKey[version.key]
            let record = version.record.flatMap { query.contains($0, search: search) ? $0 : nil }
            if old?.record == record { continue }
            if let old {
                rows.remove(at: position(of: old.place, in: rows))
                rowsByKey[version.key] = nil
                isChanged = true
            }
            guard let record else {
                if !isComplete { return .fetch }
                continue
            }
            let row = ObservedRow(record, query)
            let position = position(of: row.place, in: rows)
            // Only where its former place was not before this one, it is certain that none comes between.
            if position == rows.count, !isComplete, old.map({ query.isBefore($0.place, row.place) }) ?? true {
                if old != nil { return .fetch }
                continue
            }
            guard position < query.limit else {
                isComplete = false
                continue
            }
            rows.insert(row, at: position)
            rowsByKey[record.key] = row
            isChanged = true
            if rows.count > query.limit {
                let last = rows.remove(at: rows.count - 1)
                rowsByKey[last.record.key] = nil
                isComplete = false
            }
        }
        guard isChanged else { return .nothing }
        self.rows = rows
        return deliver()
    }

    /// The first position that does not come before the place.
    private func position(of place: RecordPlace, in rows: RowList) -> Int {
        rows.firstPosition { query.isBefore($0.place, place) }
    }
}

/// Keeps one record in step with changes.
package struct ObservedRecord: ChangeFollower {
    package let key: RecordKey
    /// Nil until the first value.
    private var record: LocalRecord??

    package init(_ key: RecordKey) { self.key = key }

    package mutating func load(_ new: LocalRecord?) -> FollowerStep<LocalRecord?> {
        guard record != .some(new) else { return .nothing }
        record = .some(new)
        return .changed(new)
    }

    package mutating func take(_ versions: [RecordVersion]) -> FollowerStep<LocalRecord?> {
        guard let before = record else { return .nothing }
        var after = before
        for version in versions {
            if let new = version.record, new.key == key || new.localKey == key {
                after = new
            } else if version.record == nil, version.key == key || version.key == after?.key {
                after = nil
            }
        }
        return load(after)
    }
}
