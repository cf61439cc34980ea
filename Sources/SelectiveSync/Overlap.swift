import PushDispatch

/// Finds answers that contradict each other because their requests were under way at the same time.
///
/// A missing record has no stamp, so between "here it is" and "there is none" the later answer need not be the newer
/// one. Whoever asked first is not believed then: the record is fetched once more.
struct Overlap: Sendable {
    private struct Seen: Sendable {
        var sequence: Int
        var isPresent: Bool
    }

    private var last = 0
    private var open: Set<Int> = []
    private var seen: [String: [RecordID: Seen]] = [:]

    /// A request goes out.
    mutating func begin() -> Int {
        last += 1
        open.insert(last)
        return last
    }

    /// Its answer came, or it failed.
    mutating func end(_ sequence: Int) {
        open.remove(sequence)
        guard let oldest = open.min() else {
            seen = [:]
            return
        }
        for object in seen.keys {
            seen[object] = seen[object]?.filter { $0.value.sequence > oldest }
        }
    }

    /// - Returns: The answers to believe, and the records to ask for once more.
    mutating func sort(
        _ answers: [FetchedRecord], of object: String, from sequence: Int
    ) -> (believed: [FetchedRecord], again: [RecordID]) {
        guard open.count > 1 || !seen.isEmpty else { return (answers, []) }
        var known = seen.removeValue(forKey: object) ?? [:]
        var believed: [FetchedRecord] = []
        var again: [RecordID] = []
        for answer in answers {
            if let other = known[answer.id], other.sequence > sequence, other.isPresent != answer.isPresent {
                again.append(answer.id)
                continue
            }
            believed.append(answer)
            if known[answer.id].map({ $0.sequence < sequence }) ?? true {
                known[answer.id] = Seen(sequence: sequence, isPresent: answer.isPresent)
            }
        }
        seen[object] = known
        return (believed, again)
    }
}
