import APNSModel
import DequeModule
import HTTP2Session

/// The sender's decisions: which notification goes on which connection, what a broken connection means for each of them,
/// when to connect, to ask whether the gateway lives, and to give up. No I/O, no clock, no randomness of its own.
///
/// Every submission that comes in leaves exactly once, as a `Resolution`.
struct ProviderCore {
    /// A submission that has its outcome.
    struct Resolution {
        let submission: Submission
        /// The number of the provider token that it was written with, where the gateway may have refused just that.
        let refusedToken: Int?

        init(submission: Submission, outcome: consuming APNSOutcome) {
            submission.resolve(outcome)
            self.submission = submission
            refusedToken = nil
        }

        /// What its answer says.
        init(answered request: InFlightRequest) {
            request.submission.resolve(request.outcome)
            submission = request.submission
            refusedToken = request.answer.status == 403 ? request.tokenNumber : nil
        }

        var outcome: APNSOutcome { submission.knownOutcome }
    }

    /// What the shell has to do.
    enum Action: Equatable {
        case open(connection: Int)
        case close(connection: Int)
        /// Nothing was heard on it for too long, not even the answer to a PING.
        case abort(connection: Int)
        case ping(connection: Int)
        /// Reset the stream in `slot`: nobody waits for its answer any more.
        case reset(connection: Int, slot: Int)
    }

    struct Limits {
        var connections = 1
        var connectAttempts = 5
        var pingAfterSilence: Duration = .seconds(15)
        var pingTimeout: Duration = .seconds(10)
    }

    private let limits: Limits
    private var backOff: BackOff
    private var queue: Deque<Submission> = []
    private var connections: [ProviderConnection?] = []
    private var nextConnect: MonotonicTime = .zero
    private var lastFailure: APNSSendError?
    private(set) var isClosing = false

    init(limits: Limits, backOff: BackOff) {
        self.limits = limits
        self.backOff = backOff
    }

    // MARK: Submissions

    /// Submissions that wait for a connection.
    var queued: Int { queue.count }

    /// Submissions that were written and are not resolved.
    var underWay: Int { connections.reduce(0) { $0 + ($1?.underWay ?? 0) } }

    mutating func submit(_ submission: consuming Submission) { queue.append(submission) }

    /// The submission for the next stream of the connection, or nil where the link takes none now or none waits.
    mutating func next(on index: Int, at now: MonotonicTime, resolved: inout [Resolution]) -> Submission? {
        guard connections[index]?.takesStream(at: now) == true else { return nil }
        while let submission = queue.popFirst() {
            guard submission.deadline > now else {
                resolved.append(Resolution(submission: submission, outcome: .unsent(deadlineError)))
                continue
            }
            submission.attempts += 1
            return submission
        }
        return nil
    }

    /// `submission` was given to the session of the connection as the stream in `slot`.
    ///
    /// - Parameter tokenNumber: Which of the provider's tokens went with it.
    mutating func started(_ submission: consuming Submission, on index: Int, slot: Int, tokenNumber: Int = 0) {
        connections[index]?.start(InFlightRequest(submission: submission, tokenNumber: tokenNumber), slot: slot)
    }

    /// Lets `write` write what the connection takes now, one submission after the other.
    ///
    /// - Parameter write: Says what became of one.
    mutating func fill(
        _ index: Int, atMost count: Int, at now: MonotonicTime, tokenNumber: Int, resolved: inout [Resolution],
        write: (Submission) -> Written
    ) {
        var left = count
        while left > 0, let submission = next(on: index, at: now, resolved: &resolved) {
            left -= 1
            switch write(submission) {
            case .stream(let slot): started(submission, on: index, slot: slot, tokenNumber: tokenNumber)
            case .failed(let error):
                resolved.append(Resolution(submission: submission, outcome: .unsent(error)))
            case .full: return notStarted(submission, on: index)
            }
        }
    }

    enum Written {
        /// As the stream in this slot.
        case stream(Int)
        /// It can never be written.
        case failed(APNSSendError)
        /// The session takes no more streams.
        case full
    }

    /// The session of the connection could not take it; it was surely not sent.
    mutating func notStarted(_ submission: Submission, on index: Int) {
        queue.prepend(submission)
        connections[index]?.drain()
    }

    /// The caller waits no longer.
    ///
    /// - Returns: Nil when it was resolved before.
    mutating func cancel(_ id: UInt64, actions: inout [Action]) -> Resolution? {
        if let index = queue.firstIndex(where: { $0.id == id }) {
            let error = APNSSendError(.cancelled, "the task was cancelled before it was sent", isSafeToRetry: true)
            return Resolution(submission: queue.remove(at: index), outcome: .unsent(error))
        }
        for index in connections.indices {
            guard let slot = connections[index]?.slot(of: id), let submission = connections[index]?.abandon(slot) else {
                continue
            }
            actions.append(.reset(connection: index, slot: slot))
            let error = APNSSendError(
                .cancelled, "the task was cancelled while the answer was awaited", isSafeToRetry: false)
            return Resolution(submission: submission, outcome: .unknown(error))
        }
        return nil
    }

    /// Gives back what waits of the submissions that `isOf` picks; what is under way goes on.
    mutating func cancelQueued(where isOf: (Submission.Ticket) -> Bool) -> [Resolution] {
        var kept: Deque<Submission> = []
        var resolved: [Resolution] = []
        for submission in queue {
            if isOf(submission.ticket) {
                resolved.append(Resolution(submission: submission, outcome: .unsent(.stopped)))
            } else {
                kept.append(submission)
            }
        }
        queue = kept
        return resolved
    }

    // MARK: Answers

    /// What of a batch is for the shell.
    struct Rest {
        /// Streams whose answer is longer than any that APNs gives.
        var tooLong: [HTTP2Stream] = []
        /// The reason of a GOAWAY, or the name of its code.
        var goAway: String?
    }

    /// All that came with one read on the connection. The next methods take it apart.
    ///
    /// - Parameter streamLimit: What the gateway's SETTINGS allow by now.
    mutating func received(
        _ batch: borrowing HTTP2EventBatch, on index: Int, streamLimit: Int, at now: MonotonicTime,
        resolved: inout [Resolution]
    ) -> Rest {
        var rest = Rest()
        heard(connection: index, at: now)
        for event in batch.events {
            switch event {
            case .head(let stream, let fields):
                connections[index]?.head(Int(stream.slot), batch, fields)
            case .body(let stream, let bytes):
                body(connection: index, slot: Int(stream.slot), bytes: batch.bytes(bytes))
            case .end(let stream, _):
                if let resolution = answered(connection: index, slot: Int(stream.slot)) { resolved.append(resolution) }
            case .bodyTooLong(let stream): rest.tooLong.append(stream)
            case .closed(let stream, let code):
                // In order, as nearly all are, it needs no description: building one costs more than all the rest here.
                if let resolution = closed(
                    connection: index, slot: Int(stream.slot), isRefused: code == .refusedStream,
                    description: code == .noError ? "NO_ERROR" : "\(code)", at: now)
                {
                    resolved.append(resolution)
                }
            case .settings: self.streamLimit(connection: index, streamLimit)
            case .goAway(_, let code, let debugData):
                let reason = Answer.reason(in: Array(batch.bytes(debugData)))
                rest.goAway = reason ?? "\(code)"
                goAway(connection: index, reason: reason)
            case .settingsAcknowledged, .pingAcknowledged: break
            }
        }
        return rest
    }

    mutating func head(connection index: Int, slot: Int, _ head: ResponseHead) { connections[index]?.head(slot, head) }

    mutating func body(connection index: Int, slot: Int, bytes: UnsafeRawBufferPointer) {
        connections[index]?.body(slot, bytes)
    }

    /// The answer on `slot` is complete.
    mutating func answered(connection index: Int, slot: Int) -> Resolution? {
        guard let request = connections[index]?.answered(slot) else { return nil }
        backOff.succeeded()
        lastFailure = nil
        return Resolution(answered: request)
    }

    /// The stream is over. Where no answer had come, it is sent again if the gateway surely did not process it, and
    /// unknown otherwise.
    ///
    /// - Parameter isRefused: Reset with REFUSED_STREAM, or above the last stream of a GOAWAY.
    mutating func closed(
        connection index: Int, slot: Int, isRefused: Bool, description: String, at now: MonotonicTime
    ) -> Resolution? {
        guard let taken = connections[index]?.end(slot, isRefused: isRefused, at: now) else { return nil }
        if isRefused {
            queue.prepend(taken.submission)
            return nil
        }
        if taken.answer.status != 0 {  // a head without the rest is an answer all the same
            return Resolution(answered: taken)
        }
        let error = APNSSendError(
            .streamReset, "the gateway ended the stream without an answer (\(description))", isSafeToRetry: false)
        return Resolution(submission: taken.submission, outcome: .unknown(error))
    }

    // MARK: Connections

    mutating func opened(connection index: Int, at now: MonotonicTime) { connections[index]?.open(at: now) }

    mutating func streamLimit(connection index: Int, _ limit: Int) { connections[index]?.setStreamLimit(limit) }

    mutating func heard(connection index: Int, at now: MonotonicTime) { connections[index]?.heard(at: now) }

    /// The gateway said GOAWAY: what is under way up to its last stream goes on, nothing new starts here.
    ///
    /// - Parameter reason: The reason in its debug data, where there is one.
    mutating func goAway(connection index: Int, reason: String?) { connections[index]?.drain(reason: reason) }

    /// The connection is gone, or never came about.
    ///
    /// - Parameters:
    ///   - isPermanent: The next try would end the same way.
    ///   - wasSent: Whether the whole request in a slot had left this side.
    mutating func lost(
        connection index: Int, description: String, isPermanent: Bool, at now: MonotonicTime,
        resolved: inout [Resolution],
        wasSent: (Int) -> Bool
    ) {
        guard let lost = connections[index] else { return }
        connections[index] = nil
        var unsent: [Submission] = []
        for (slot, request) in lost.inFlight {
            if request.answer.status != 0 {
                resolved.append(Resolution(answered: request))
            } else if wasSent(slot) {
                let error = APNSSendError(
                    .connectionLost, "\(description) before the answer came; it may have been delivered",
                    isSafeToRetry: false)
                resolved.append(Resolution(submission: request.submission, outcome: .unknown(error)))
            } else {
                unsent.append(request.submission)
            }
        }
        queue.prepend(contentsOf: unsent)
        if let reason = lost.certificateRefusal {
            // Any new connection with this certificate ends the same way, so what waits is not worth another one.
            let description = "the gateway closed the connection: \(reason); check the client certificate"
            return giveUp(APNSSendError(.connectionFailed, words, isSafeToRetry: true), resolved: &resolved)
        }
        if lost.wasDrainedInOrder { return }
        guard !lost.hasAnswered else {
            nextConnect = now + backOff.pause()
            return
        }
        nextConnect = now + backOff.failed()
        let error = APNSSendError(.connectionFailed, words, isSafeToRetry: true)
        lastFailure = error
        if isPermanent || backOff.failures >= limits.connectAttempts { giveUp(error, resolved: &resolved) }
    }

    /// Gives everything that waits back as unsent.
    private mutating func giveUp(_ error: APNSSendError, resolved: inout [Resolution]) {
        for submission in queue { resolved.append(Resolution(submission: submission, outcome: .unsent(error))) }
        queue.removeAll()
        lastFailure = nil
        backOff.succeeded()
    }

    // MARK: Time

    /// What is due at `now`: connections to open or to close, PINGs, and notifications whose time is over.
    mutating func plan(at now: MonotonicTime, actions: inout [Action], resolved: inout [Resolution]) {
        for index in connections.indices {
            guard let connection = connections[index] else { continue }
            switch connection.healthCheck(at: now, isClosing: isClosing, limits: limits) {
            case .nothing: break
            case .ping:
                connections[index]?.pinged(at: now)
                actions.append(.ping(connection: index))
            case .close: actions.append(.close(connection: index))
            case .abort: actions.append(.abort(connection: index))
            }
        }
        guard !queue.isEmpty, !isClosing, now >= nextConnect,
            !connections.contains(where: { $0?.certificateRefusal != nil })
        else { return }
        let usable = connections.filter { $0?.isUsable == true }
        // One at a time: the next connection is worth its handshake only if this one does not take the load.
        guard usable.count < limits.connections, !usable.contains(where: { $0?.isConnecting == true }) else { return }
        let free = connections.firstIndex { $0 == nil } ?? connections.count
        if free == connections.count { connections.append(nil) }
        connections[free] = ProviderConnection(at: now)
        actions.append(.open(connection: free))
    }

    /// Resolves what is past its deadline. Costs a look at each submission, so the shell calls it now and then.
    mutating func expire(at now: MonotonicTime, actions: inout [Action], resolved: inout [Resolution]) {
        if queue.contains(where: { $0.deadline <= now }) {
            let error = deadlineError
            for submission in queue where submission.deadline <= now {
                resolved.append(Resolution(submission: submission, outcome: .unsent(error)))
            }
            queue = Deque(queue.lazy.filter { $0.deadline > now })
        }
        for index in connections.indices {
            guard let overdue = connections[index]?.overdue(at: now) else { continue }
            for slot in overdue {
                guard let submission = connections[index]?.abandon(slot) else { continue }
                actions.append(.reset(connection: index, slot: slot))
                let error = APNSSendError(
                    .deadlineExceeded, "no answer came in time; it may have been delivered", isSafeToRetry: false)
                resolved.append(Resolution(submission: submission, outcome: .unknown(error)))
            }
        }
    }

    private var deadlineError: APNSSendError {
        APNSSendError(
            .deadlineExceeded,
            lastFailure.map { "its time was over before a connection came about: \($0.detail)" }
                ?? (connections.contains { $0?.isOpen == true }
                    ? "its time was over before a stream was free"
                    : "its time was over before a connection came about"),
            isSafeToRetry: true)
    }

    /// No new connection, and what waits is given back; what is under way may end.
    mutating func close() -> [Resolution] {
        isClosing = true
        var resolved: [Resolution] = []
        giveUp(.closedProvider, resolved: &resolved)
        return resolved
    }

    /// Whether there is anything that time alone may change.
    var isIdle: Bool { queue.isEmpty && !connections.contains { $0 != nil } }

    /// The connections that may take a stream now, fewest streams first, so that a burst spreads.
    func availableConnections(at now: MonotonicTime) -> [Int] {
        connections.indices.filter { connections[$0]?.takesStream(at: now) == true }
            .sorted { (connections[$0]?.streams ?? 0) < (connections[$1]?.streams ?? 0) }
    }
}
