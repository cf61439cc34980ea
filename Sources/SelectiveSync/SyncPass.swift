import PushDispatch

/// The records of one pass: which go into the next request, which are done, and what to say at the end. No I/O.
struct SyncPass: Sendable {
    /// Splitting a batch to find the id that the server refuses is worth this many requests more.
    private static let maximumSplits = 24

    private(set) var outOfScope: [RecordID] = []
    private var batches: [[RecordID]] = []
    /// Records named by the push: the others are in the pending store already and stay there until they are done.
    private let hinted: Set<RecordID>
    private var unfinished: [RecordID] = []
    private var changed = 0
    private var isFailed = false
    private var splits = 0

    /// The push's own records come first, because they are the freshest news.
    init(hint: [RecordID], pending: [RecordID], isInScope: (RecordID) -> Bool) {
        hinted = Set(hint)
        var seen: Set<RecordID> = []
        var wanted: [RecordID] = []
        for record in hint + pending where seen.insert(record).inserted {
            if isInScope(record) { wanted.append(record) } else { outOfScope.append(record) }
        }
        var start = 0
        while start < wanted.count {
            let end = min(start + FetchRequest.maximumRecords, wanted.count)
            batches.append(Array(wanted[start..<end]))
            start = end
        }
        // Taken from the end.
        batches.reverse()
    }

    var isFinished: Bool { batches.isEmpty }

    mutating func nextBatch() -> [RecordID]? { batches.popLast() }

    mutating func stored(_ batch: [RecordID], _ counts: MergeCounts) { changed += counts.changed }

    /// The store failed: nothing more is fetched that it could not take either.
    mutating func notStored(_ batch: [RecordID]) {
        isFailed = true
        unfinished += batch + batches.reversed().joined()
        batches = []
    }

    /// - Returns: Records that are not to be asked for again.
    mutating func failed(_ batch: [RecordID], _ advice: FetchError.Advice) -> [RecordID] {
        switch advice {
        case .dropRecord:
            if batch.count == 1 {
                isFailed = true
                return batch
            }
            if splits < SyncPass.maximumSplits {
                splits += 1
                let middle = batch.count / 2
                batches.append(Array(batch[middle...]))
                batches.append(Array(batch[..<middle]))
                return []
            }
            notStored(batch)
            return []
        case .stop:
            isFailed = true
            let dropped = batch + batches.reversed().joined()
            batches = []
            return dropped
        case .logIn, .keep, .retryLater:
            notStored(batch)
            return []
        }
    }

    var report: HandlerReport {
        let left = unfinished + batches.reversed().joined()
        return HandlerReport(
            changed: changed, unfinished: left.filter(hinted.contains), isFailed: isFailed || !left.isEmpty)
    }
}
