/// The records to be fetched. The list is bounded: when it is full, the records of one object are replaced with a
/// regular sync of that object, which fetches all of them.
///
/// Records that no regular sync fetches, because its mark is past them, do not count and are not replaced.
public struct PendingList: Hashable, Sendable, Codable {
    public let maximumRecords: Int
    /// Number of records, without those behind the mark of the regular sync.
    public private(set) var count = 0
    /// The mark of the newest hint.
    public private(set) var mark = PendingMark.start
    private var marks: [String: [RecordID: PendingMark]] = [:]
    /// Records behind the mark of the regular sync. Optional for lists that an earlier version has stored.
    private var behind: [String: Set<RecordID>]?
    /// Objects whose hints were dropped or named no record, with the mark at which that happened.
    private var overflows: [String: PendingMark] = [:]

    public init(maximumRecords: Int = 10_000) { self.maximumRecords = maximumRecords }

    /// A list that a store keeps in another form.
    package init(
        maximumRecords: Int, mark: PendingMark, marks: [String: [RecordID: PendingMark]],
        behind: [String: Set<RecordID>], overflows: [String: PendingMark]
    ) {
        self.maximumRecords = maximumRecords
        self.mark = mark
        self.marks = marks
        self.behind = behind
        self.overflows = overflows
        count = marks.values.reduce(0) { $0 + $1.count } - behind.values.reduce(0) { $0 + $1.count }
    }

    /// Objects that need a regular sync: hints for them were dropped, or named no record.
    public var objectsToSync: Set<String> { Set(overflows.keys) }

    /// - Returns: Nil if hints of this or another object had to be dropped.
    @discardableResult
    public mutating func keep(_ hint: Hint) -> PendingMark? {
        mark.number += 1
        if hint.records.isEmpty, !hint.object.isEmpty { overflows[hint.object] = mark }
        for record in hint.records where marks[hint.object, default: [:]].updateValue(mark, forKey: record) == nil {
            count += 1
        }
        var fits = true
        while count > maximumRecords, let object = largestObject {
            fits = false
            dropHints(of: object)
            overflows[object] = mark
        }
        return fits ? mark : nil
    }

    /// Keeps records that no regular sync fetches, because its mark is past them. They stay until they are fetched or
    /// the whole list is cleared.
    public mutating func keepBehindMark(_ records: [RecordID], of object: String) {
        mark.number += 1
        var staying = behind ?? [:]
        for record in records {
            let former = marks[object, default: [:]].updateValue(mark, forKey: record)
            if staying[object, default: []].insert(record).inserted, former != nil { count -= 1 }
        }
        behind = staying
    }

    private var largestObject: String? {
        let counts = marks.map { (object: $0.key, count: $0.value.count - (behind?[$0.key]?.count ?? 0)) }
        return counts.filter { $0.count > 0 }.max { ($0.count, $1.object) < ($1.count, $0.object) }?.object
    }

    private mutating func dropHints(of object: String) {
        guard let waiting = marks[object] else { return }
        let staying = waiting.filter { behind?[object]?.contains($0.key) == true }
        count -= waiting.count - staying.count
        marks[object] = staying.isEmpty ? nil : staying
    }

    /// The pending records of `object` that were kept after `mark`, oldest first.
    public func pending(of object: String, after mark: PendingMark? = nil) -> [PendingRecord] {
        marks[object, default: [:]].filter { mark == nil || $0.value > mark! }
            .map { PendingRecord($0.key, mark: $0.value) }
            .sorted { ($0.mark, $0.record) < ($1.mark, $1.record) }
    }

    /// Removes records, unless a newer hint for them was kept meanwhile.
    public mutating func forget(_ records: [PendingRecord], of object: String) {
        guard var waiting = marks[object] else { return }
        for record in records {
            guard let kept = waiting[record.record], kept <= record.mark else { continue }
            waiting[record.record] = nil
            if behind?[object]?.remove(record.record) == nil { count -= 1 }
        }
        marks[object] = waiting.isEmpty ? nil : waiting
    }

    /// Removes all hints, but not the records behind the mark.
    public mutating func forgetAll() {
        for object in Array(marks.keys) { dropHints(of: object) }
        overflows = [:]
    }

    /// Removes everything.
    public mutating func removeAll() {
        marks = [:]
        behind = nil
        overflows = [:]
        count = 0
    }

    /// A regular sync that began at `mark` has finished. It has stored the records whose hints were dropped before.
    public mutating func regularSyncFinished(of object: String, began mark: PendingMark) {
        if let dropped = overflows[object], dropped <= mark { overflows[object] = nil }
    }
}
