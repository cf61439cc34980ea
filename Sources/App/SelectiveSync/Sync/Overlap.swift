import PushDispatch

/// Finds answers that contradict each other because their requests were under way at the same time.
///
/// Answers go into the store in the order in which they are sorted here (`RecordSync.inOrder`). So one whose request
/// began after another answer was sorted is the newer one, and stored later.
///
/// A missing record has no stamp, so between "here it is" and "there is none" neither the one asked later nor the one
/// answered later need be the newer one. The second answer is not believed then: the record is fetched once more.
struct Overlap: Sendable {
    private struct Seen: Sendable {
        /// When its answer was sorted.
        var answered: Int
        var isPresent: Bool
    }

    /// Counts requests and answers, in the order of their coming.
    private var last = 0
    private var open: Set<Int> = []
    private var seen: [String: [RecordID: Seen]] = [:]

    /// A request goes out.
    mutating func begin() -> Int {
        last += 1
        open.insert(last)
        return last
    }

    /// Its answer is stored, or it failed.
    mutating func end(_ sequence: Int) {
        open.remove(sequence)
        guard let oldest = open.min() else {
            seen = [:]
            return
        }
        for object in seen.keys {
            seen[object] = seen[object]?.filter { $0.value.answered > oldest }
        }
    }

    /// The server deleted a record for an upload: what was asked before and shows it still is not believed.
    mutating func deleted(_ record: RecordID, of object: String) {
        guard !open.isEmpty else { return }
        last += 1
        seen[object, default: [:]][record] = Seen(answered: last, isPresent: false)
    }

    /// - Returns: The answers to believe, and the records to ask for once more.
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
