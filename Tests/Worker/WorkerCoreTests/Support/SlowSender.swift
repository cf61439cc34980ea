import APNSModel
import APNSProvider
import WorkerCore

/// A sender with few streams to a gateway that takes its time: what finds no free stream waits, and the time for its answer runs
/// meanwhile.
struct SlowSender {
    private struct Sent {
        let push: OutgoingPush
        let from: MonotonicTime
        /// When the answer comes; nil while it waits for a stream.
        var answer: MonotonicTime?
    }

    let streams: Int
    let latency: Duration
    var timeout = Duration.seconds(30)
    private var pushes: [Sent] = []

    init(streams: Int, latency: Duration) {
        self.streams = streams
        self.latency = latency
    }

    mutating func post(_ posted: [OutgoingPush], at now: MonotonicTime) {
        pushes += posted.map { Sent(push: $0, from: now) }
        fill(at: now)
    }

    /// What has its outcome by now.
    mutating func outcomes(at now: MonotonicTime) -> [(push: OutgoingPush, outcome: APNSOutcome, duration: Duration)] {
        var outcomes: [(push: OutgoingPush, outcome: APNSOutcome, duration: Duration)] = []
        var left: [Sent] = []
        for sent in pushes {
            if let answer = sent.answer, answer <= now {
                outcomes.append((sent.push, sent.push.accepted, now - sent.from))
            } else if now - sent.from >= timeout {
                outcomes.append((sent.push, sent.answer == nil ? .waitedInVain : .lost, now - sent.from))
            } else {
                left.append(sent)
            }
        }
        pushes = left
        fill(at: now)
        return outcomes
    }

    private mutating func fill(at now: MonotonicTime) {
        var free = streams - pushes.count { $0.answer != nil }
        for index in pushes.indices where pushes[index].answer == nil && free > 0 {
            pushes[index].answer = now + latency
            free -= 1
        }
    }
}
