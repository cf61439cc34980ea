import APNSModel
import GatewayCore
import HTTP2Session

/// The delayed answers of one connection, in a heap by the time at which they are sent, so that one timer is enough.
struct HeldAnswers {
    struct Answer {
        var stream: HTTP2Stream
        var isRequestIncomplete: Bool
        var response: GatewayResponse
        /// For the statistics of how long answers take; nil for an answer that is not counted.
        var verdict: Verdict?
        /// When the request was complete.
        var began = MonotonicTime.zero
    }

    private struct Entry: Comparable {
        var due: Int64
        var stream: HTTP2Stream

        /// Answers of the same time are sent in the order of their streams.
        static func < (left: Entry, right: Entry) -> Bool {
            left.due == right.due ? left.stream.id < right.stream.id : left.due < right.due
        }
    }

    /// Entries of dropped answers stay until they are due or too many.
    private var heap = Heap<Entry>()
    /// By slot of the stream.
    private var answers: [Answer?] = []
    /// The stream ids of `answers`, so that a look-up does not copy an answer; 0 where none waits.
    private var ids: [Int32] = []
    /// How many answers wait.
    private(set) var count = 0

    /// When the next answer is due, perhaps a dropped one. Milliseconds since 1970 by the world's clock.
    var nextDue: Int64? { heap.first?.due }

    /// How many entries the heap has, those of dropped answers included.
    var entryCount: Int { heap.count }

    mutating func hold(_ answer: Answer, until due: Int64) {
        let slot = Int(answer.stream.slot)
        while answers.count <= slot {
            answers.append(nil)
            ids.append(0)
        }
        ids[slot] = answer.stream.id
        answers[slot] = answer
        count += 1
        heap.insert(Entry(due: due, stream: answer.stream))
    }

    /// Removes and returns the next due answer; nil if there is none.
    mutating func next(upTo now: Int64) -> Answer? {
        while let entry = heap.first, entry.due <= now {
            _ = heap.removeFirst()
            if let answer = take(entry.stream) { return answer }
        }
        return nil
    }

    /// The stream is closed, so its answer is not sent.
    mutating func drop(_ stream: HTTP2Stream) {
        guard take(stream) != nil, heap.count > 2 * count + 64 else { return }
        let ids = ids
        heap.removeAll { ids[Int($0.stream.slot)] != $0.stream.id }
    }

    private mutating func take(_ stream: HTTP2Stream) -> Answer? {
        let slot = Int(stream.slot)
        guard ids.indices.contains(slot), ids[slot] == stream.id else { return nil }
        count -= 1
        ids[slot] = 0
        return answers[slot].take()
    }
}
