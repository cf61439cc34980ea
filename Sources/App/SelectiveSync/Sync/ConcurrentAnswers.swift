import PushDispatch

/// Finds answers that contradict each other because their requests were in flight at the same time.
///
/// Answers are stored in the order in which they are sorted here (`RecordSync.inOrder`). So an answer whose request started
/// after another answer was sorted is newer, and is stored later.
///
/// A missing record has no stamp. So if one answer shows a record and another one says that there is none, neither the
/// order of the requests nor that of the answers says which is newer. The second answer is not believed, and the record is
/// fetched once more.
struct ConcurrentAnswers: Sendable {
    private struct Seen: Sendable {
        /// When its answer was sorted.
        var answered: Int
        var isPresent: Bool
    }

    /// Numbers requests and answers in the order in which they come.
    private var last = 0
    private var open: Set<Int> = []
    private var seen: [String: [RecordID: Seen]] = [:]

    /// - Returns: The request's number, for `sort` and `endRequest`.
    mutating func beginRequest() -> Int {
        last += 1
        open.insert(last)
        return last
    }

    /// The request's answer is stored, or the request failed.
    mutating func endRequest(_ sequence: Int) {
        open.remove(sequence)
        guard let oldest = open.min() else {
            seen = [:]
            return
        }
        for object in seen.keys {
            seen[object] = seen[object]?.filter { $0.value.answered > oldest }
        }
    }

    /// The server deleted a record for an upload. A request that started before may still show it, and is not believed.
    mutating func deleted(_ record: RecordID, of object: String) {
        guard !open.isEmpty else { return }
        last += 1
        seen[object, default: [:]][record] = Seen(answered: last, isPresent: false)
    }

    /// - Returns: The answers to believe, and the records to fetch once more.
    mutating func sort(
        _ answers: [FetchedRecord], of object: String, from sequence: Int
    ) -> (believed: [FetchedRecord], again: [RecordID]) {
        guard open.count > 1 || !seen.isEmpty else { return (answers, []) }
        last += 1
        var known = seen.removeValue(forKey: object) ?? [:]
        var believed: [FetchedRecord] = []
        var again: [RecordID] = []
        for answer in answers {
            if let other = known[answer.id], other.answered > sequence, other.isPresent != answer.isPresent {
                again.append(answer.id)
                continue
            }
            believed.append(answer)
            known[answer.id] = Seen(answered: last, isPresent: answer.isPresent)
        }
        seen[object] = known
        return (believed, again)
    }
}
