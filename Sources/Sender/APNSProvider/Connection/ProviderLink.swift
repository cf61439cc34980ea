import APNSModel
import HTTP2Session

extension ProviderCore {
    /// A notification that was written to a connection.
    struct Flight {
        let submission: Submission
        /// Which of the provider's tokens it was written with.
        var tokenNumber = 0
        var answer = Answer()

        /// What the answer means.
        var outcome: APNSOutcome {
            if answer.status == 200, answer.head.apnsID == nil {
                return .accepted(apnsID: submission.apnsID, uniqueID: answer.head.uniqueID)
            }
            return APNSOutcome(answer.reply(sentID: submission.apnsID))
        }

        mutating func read(_ batch: borrowing HTTP2EventBatch, _ fields: Range<Int>) {
            answer.head = ResponseHead(batch, fields, sentID: submission.apnsID)
        }
    }

    /// One connection as the core sees it.
    struct Link {
        private enum Phase { case connecting, open, draining }

        /// Streams to have open before the gateway has said how many it takes. A token connection starts with one.
        private static var initialStreamLimit: Int { 1 }
        /// How long to leave a connection alone that refused all that was sent on it.
        private static var refusalPause: Duration { .milliseconds(100) }

        private var phase = Phase.connecting
        private var slots: ContiguousArray<Flight?> = []
        /// Streams that are open, also those whose answer nobody waits for.
        private(set) var streams = 0
        private(set) var underWay = 0
        private var streamLimit = initialStreamLimit
        /// Less than the gateway's limit after it refused streams; grows by one with each answer.
        private var refusalLimit: Int?
        private var pausedUntil: MonotonicTime?
        private var lastHeard: MonotonicTime
        private var pingSent: MonotonicTime?
        /// The gateway answered at least one notification here, so the connection is good.
        private(set) var hasAnswered = false
        private(set) var wasDrainedInOrder = false
        /// The gateway's reason for its GOAWAY, where no other connection would fare better.
        private(set) var certificateFault: String?

        init(at now: MonotonicTime) { lastHeard = now }

        var isConnecting: Bool { phase == .connecting }
        var isOpen: Bool { phase == .open }
        var isUsable: Bool { phase != .draining }

        func takesStream(at now: MonotonicTime) -> Bool {
            guard phase == .open, streams < min(streamLimit, refusalLimit ?? .max) else { return false }
            return pausedUntil.map { now >= $0 } ?? true
        }

        // MARK: Streams

        mutating func start(_ flight: consuming Flight, slot: Int) {
            while slots.count <= slot { slots.append(nil) }
            slots[slot] = flight
            streams += 1
            underWay += 1
        }

        /// The head of the answer in `slot`; of a stream that nobody waits for it is dropped.
        mutating func head(_ slot: Int, _ batch: borrowing HTTP2EventBatch, _ fields: Range<Int>) {
            guard slots.indices.contains(slot) else { return }
            slots[slot]?.read(batch, fields)
        }

        mutating func head(_ slot: Int, _ head: ResponseHead) {
            guard slots.indices.contains(slot), slots[slot] != nil else { return }
            slots[slot]?.answer.head = head
        }

        mutating func body(_ slot: Int, _ bytes: UnsafeRawBufferPointer) {
            guard slots.indices.contains(slot) else { return }
            slots[slot]?.answer.body.append(contentsOf: bytes)
        }

        mutating func answered(_ slot: Int) -> Flight? {
            guard let flight = take(slot) else { return nil }
            hasAnswered = true
            if let limit = refusalLimit {
                refusalLimit = limit + 1 < streamLimit ? limit + 1 : nil
                pausedUntil = nil
            }
            return flight
        }

        /// The stream is over; the flight, where no answer had ended it before.
        mutating func end(_ slot: Int, isRefused: Bool, at now: MonotonicTime) -> Flight? {
            streams -= 1
            if isRefused, phase == .open {
                refusalLimit = max(1, streams)
                if streams == 0 { pausedUntil = now + Link.refusalPause }
            }
            return take(slot)
        }

        /// Nobody waits for the answer in `slot` any more; the stream itself ends later.
        mutating func abandon(_ slot: Int) -> Submission? { take(slot)?.submission }

        private mutating func take(_ slot: Int) -> Flight? {
            guard slots.indices.contains(slot), let flight = slots[slot].take() else { return nil }
            underWay -= 1
            return flight
        }

        func slot(of id: UInt64) -> Int? { slots.firstIndex { $0?.submission.id == id } }

        func overdue(at now: MonotonicTime) -> [Int] {
            slots.indices.filter { slots[$0].map { $0.submission.deadline <= now } ?? false }
        }

        /// What is under way, oldest first, so that what has to be sent again keeps its order.
        var flights: [(Int, Flight)] {
            slots.indices.compactMap { slot in slots[slot].map { (slot, $0) } }
                .sorted { $0.1.submission.id < $1.1.submission.id }
        }

        // MARK: Life

        mutating func open(at now: MonotonicTime) {
            phase = .open
            lastHeard = now
        }

        mutating func setStreamLimit(_ limit: Int) { streamLimit = limit }

        mutating func heard(at now: MonotonicTime) {
            lastHeard = now
            pingSent = nil
        }

        mutating func pinged(at now: MonotonicTime) { pingSent = now }

        mutating func drain(reason: String? = nil) {
            phase = .draining
            wasDrainedInOrder = hasAnswered
            if let reason, ["BadCertificate", "BadCertificateEnvironment"].contains(reason) {
                certificateFault = reason
            }
        }

        enum Care { case nothing, ping, close, abort }

        func care(at now: MonotonicTime, isClosing: Bool, limits: Limits) -> Care {
            if phase == .connecting { return isClosing ? .close : .nothing }
            if streams == 0, phase == .draining || isClosing { return .close }
            if let pingSent { return now - pingSent >= limits.pingTimeout ? .abort : .nothing }
            return now - lastHeard >= limits.pingAfterSilence ? .ping : .nothing
        }
    }
}
