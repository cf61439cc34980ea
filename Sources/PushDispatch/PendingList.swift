/// The records that wait to be fetched, bounded: when it is full, one object's records give way to a regular sync of that
/// object, which brings them all.
public struct PendingList: Hashable, Sendable, Codable {
    public let maximumRecords: Int
    public private(set) var count = 0
    /// How far the list has grown.
    public private(set) var mark = PendingMark.start
    private var marks: [String: [RecordID: PendingMark]] = [:]
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
            count -= marks.removeValue(forKey: object)?.count ?? 0
            overflows[object] = mark
        }
        return hasRoom ? mark : nil
    }

    private var largestObject: String? {
        marks.max { ($0.value.count, $1.key) < ($1.value.count, $0.key) }?.key
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
            count -= 1
        }
        marks[object] = waiting.isEmpty ? nil : waiting
    }

    public mutating func forgetAll() {
        marks = [:]
        overflows = [:]
        count = 0
    }

    /// A regular sync that began at `mark` ran to its end: what was dropped before is in the store now.
    public mutating func regularSyncFinished(of object: String, began mark: PendingMark) {
        if let dropped = overflows[object], dropped <= mark { overflows[object] = nil }
    }
}
