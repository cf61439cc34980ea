/// The records that wait to be fetched, bounded: when it is full, one object's records give way to a regular sync of that
/// object, which brings them all.
///
/// Those that no regular sync would bring, because its mark is past them, neither take room nor give way.
public struct PendingList: Hashable, Sendable, Codable {
    public let maximumRecords: Int
    /// How many wait, besides those behind the mark.
    public private(set) var count = 0
    /// How far the list has grown.
    public private(set) var mark = PendingMark.start
    private var marks: [String: [RecordID: PendingMark]] = [:]
    /// Records that the regular sync's mark is past. Nil in a list that was written before there were any.
    private var behind: [String: Set<RecordID>]?
    /// Objects whose hints were dropped or named no record, and when.
    private var overflows: [String: PendingMark] = [:]

    public init(maximumRecords: Int = 10_000) { self.maximumRecords = maximumRecords }

    /// Objects that need a regular sync: hints for them were dropped, or named no record.
    public var objectsToSync: Set<String> { Set(overflows.keys) }

    /// - Returns: Nil where hints of this or another object had to be dropped.
    @discardableResult
    public mutating func keep(_ hint: Hint) -> PendingMark? {
        mark.number += 1
        if hint.records.isEmpty, !hint.object.isEmpty { overflows[hint.object] = mark }
        for record in hint.records where marks[hint.object, default: [:]].updateValue(mark, forKey: record) == nil {
            count += 1
        }
        var hasRoom = true
        while count > maximumRecords, let object = largestObject {
            hasRoom = false
            dropHints(of: object)
            overflows[object] = mark
        }
        return hasRoom ? mark : nil
    }

    /// Keeps records that no regular sync would bring, because its mark is past them: they wait until they are fetched,
    /// or all is removed.
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

    /// What waits for `object` and was kept after `mark`, oldest first.
    public func pending(of object: String, after mark: PendingMark? = nil) -> [PendingRecord] {
        marks[object, default: [:]].filter { mark == nil || $0.value > mark! }
            .map { PendingRecord($0.key, mark: $0.value) }
            .sorted { ($0.mark, $0.record) < ($1.mark, $1.record) }
    }

    /// Drops records that were not kept anew since.
    public mutating func forget(_ records: [PendingRecord], of object: String) {
        guard var waiting = marks[object] else { return }
        for record in records {
            guard let kept = waiting[record.record], kept <= record.mark else { continue }
            waiting[record.record] = nil
            if behind?[object]?.remove(record.record) == nil { count -= 1 }
        }
        marks[object] = waiting.isEmpty ? nil : waiting
    }

    /// Drops all hints, but keeps what is behind the mark.
    public mutating func forgetAll() {
        for object in Array(marks.keys) { dropHints(of: object) }
        overflows = [:]
    }

    /// Drops everything.
    public mutating func removeAll() {
        marks = [:]
        behind = nil
        overflows = [:]
        count = 0
    }

    /// A regular sync that began at `mark` ran to its end: what was dropped before is in the store now.
    public mutating func regularSyncFinished(of object: String, began mark: PendingMark) {
        if let dropped = overflows[object], dropped <= mark { overflows[object] = nil }
    }
}
