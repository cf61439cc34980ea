/// The records that wait to be fetched, bounded: when it is full it empties itself and asks for a regular sync instead,
/// which brings everything.
public struct PendingList: Hashable, Sendable, Codable {
    public let maximumRecords: Int
    /// Set when the list was full; stays until a regular sync has run.
    public private(set) var needsRegularSync = false
    private var marks: [String: [RecordID: PendingMark]] = [:]
    private var last = PendingMark(number: 0)
    public private(set) var count = 0

    public init(maximumRecords: Int = 10_000) { self.maximumRecords = maximumRecords }

    public mutating func keep(_ hint: Hint) {
        guard !needsRegularSync else { return }
        for record in hint.records {
            last.number += 1
            if marks[hint.object, default: [:]].updateValue(last, forKey: record) == nil { count += 1 }
        }
        guard count > maximumRecords else { return }
        marks = [:]
        count = 0
        needsRegularSync = true
    }

    /// What waits for `object`, oldest first.
    public func pending(of object: String) -> PendingRecords {
        let waiting = marks[object, default: [:]].sorted { $0.value < $1.value }
        return PendingRecords(records: waiting.map(\.key), mark: last)
    }

    /// Drops records that were not kept anew after `mark`.
    public mutating func forget(_ records: [RecordID], of object: String, upTo mark: PendingMark) {
        guard var waiting = marks[object] else { return }
        for record in records {
            guard let kept = waiting[record], kept <= mark else { continue }
            waiting[record] = nil
            count -= 1
        }
        marks[object] = waiting.isEmpty ? nil : waiting
    }

    /// A regular sync ran to its end: what was lost from the list is in the store now.
    public mutating func regularSyncFinished() { needsRegularSync = false }
}
