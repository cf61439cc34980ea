import PushDispatch

/// Finds answers that contradict each other because their requests were in flight at the same time.
///
/// Answers are stored in the order in which `resolve` gets them (`RecordSync.inOrder`). So an answer whose request started
/// after another answer was resolved is newer, and is stored later.
///
/// If one of two concurrent answers contains a record and the other one says that it does not exist, there is no date that
/// shows which is newer. The second answer is dropped, and the record is fetched again.
struct ConcurrentAnswers: Sendable {
    private struct Seen: Sendable {
        /// When its answer was resolved.
        var answered: Int
        var isPresent: Bool
    }

    /// Numbers requests and answers in the order in which they come.
    private var last = 0
    private var open: Set<Int> = []
    private var seen: [String: [RecordID: Seen]] = [:]

    /// - Returns: The request's number, for `resolve` and `endRequest`.
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

    /// The server deleted a record for an upload. The answer to a request that started before may still contain it, and is dropped.
    mutating func deleted(_ record: RecordID, of object: String) {
        guard !open.isEmpty else { return }
        last += 1
        seen[object, default: [:]][record] = Seen(answered: last, isPresent: false)
    }

    /// - Returns: The answers to store, and the records to fetch again.
    mutating func resolve(
        _ answers: [FetchedRecord], of object: String, from sequence: Int
    ) -> (accepted: [FetchedRecord], fetchAgain: [RecordID]) {
        guard open.count > 1 || !seen.isEmpty else { return (answers, []) }
        last += 1
        var known = seen.removeValue(forKey: object) ?? [:]
        var accepted: [FetchedRecord] = []
        var fetchAgain: [RecordID] = []
        for answer in answers {
            if let other = known[answer.id], other.answered > sequence, other.isPresent != answer.isPresent {
                fetchAgain.append(answer.id)
                continue
            }
            accepted.append(answer)
            known[answer.id] = Seen(answered: last, isPresent: answer.isPresent)
        }
        seen[object] = known
        return (accepted, fetchAgain)
    }
}
