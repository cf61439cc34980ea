import APNSModel
import DequeModule
import HTTP2Session

/// The sender's decisions, without I/O, clock or random source: which connection a notification is written to, what a
/// broken connection means for each of its in-flight requests, when to connect, to send a PING and to give up.
///
/// Every submission gets exactly one `Resolution`.
struct ProviderCore {
    /// A submission that has its outcome.
    struct Resolution {
        let submission: Submission
        /// The number of the provider token that the notification was written with; nil unless the answer's status is
        /// 403.
        let refusedToken: Int?

        init(submission: Submission, outcome: consuming APNSOutcome) {
            submission.resolve(outcome)
            self.submission = submission
            refusedToken = nil
        }

        init(answered request: InFlightRequest) {
            request.submission.resolve(request.outcome)
            submission = request.submission
            refusedToken = request.answer.status == 403 ? request.tokenNumber : nil
        }

        var outcome: APNSOutcome { submission.knownOutcome }
    }

    /// What the event loop has to do.
    enum Action: Equatable {
        case open(connection: Int)
        case close(connection: Int)
        /// Nothing was received for too long, not even the answer to a PING.
        case abort(connection: Int)
        case ping(connection: Int)
        /// Reset the stream in `slot`, whose request was abandoned.
        case reset(connection: Int, slot: Int)
    }

    struct Limits {
        var connections = 1
        var connectAttempts = 5
        /// With open streams.
        var pingAfterSilence: Duration = .seconds(15)
        /// Without open streams.
        var pingWhenIdle: Duration = .seconds(3600)
        var pingTimeout: Duration = .seconds(10)
        /// Nil keeps connections without streams open.
        var idleTimeout: Duration?
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

    /// Takes the submission for the next stream of the connection from the queue; nil when the connection takes no
    /// stream now or the queue is empty.
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

    /// The connection's session has written `submission` as the stream in `slot`.
    ///
    /// - Parameter tokenNumber: The number of the provider token that was written with it.
    mutating func started(_ submission: consuming Submission, on index: Int, slot: Int, tokenNumber: Int = 0) {
        connections[index]?.start(InFlightRequest(submission: submission, tokenNumber: tokenNumber), slot: slot)
    }

    /// Calls `write` with up to `count` submissions, one after the other, while the connection takes streams.
    mutating func fill(
        _ index: Int, atMost count: Int, at now: MonotonicTime, tokenNumber: Int, resolved: inout [Resolution],
        write: (Submission) -> WriteResult
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

    enum WriteResult {
        /// Written as the stream in this slot.
        case stream(Int)
        /// Can never be written.
        case failed(APNSSendError)
        /// The session has reached its limit of open streams.
        case full
    }

    /// The connection's session did not take `submission`, so it was surely not sent.
    mutating func notStarted(_ submission: Submission, on index: Int) {
        queue.prepend(submission)
        connections[index]?.drain()
    }

    /// The caller's task was cancelled.
    ///
    /// - Returns: Nil when the submission has its outcome already.
    mutating func cancel(_ id: UInt64, actions: inout [Action]) -> Resolution? {
        if let index = queue.firstIndex(where: { $0.id == id }) {
            let error = APNSSendError(
                .cancelled, "the task was cancelled before the notification was sent", isSafeToRetry: true)
            return Resolution(submission: queue.remove(at: index), outcome: .unsent(error))
        }
        for index in connections.indices {
            guard let slot = connections[index]?.slot(of: id), let submission = connections[index]?.abandon(slot) else {
                continue
            }
            actions.append(.reset(connection: index, slot: slot))
            let error = APNSSendError(
                .cancelled, "the task was cancelled while waiting for the answer", isSafeToRetry: false)
            return Resolution(submission: submission, outcome: .unknown(error))
        }
        return nil
    }

    /// Resolves the queued submissions of some recipients as unsent. In-flight requests go on.
    mutating func cancelQueued(where isCancelled: (Submission.Recipient) -> Bool) -> [Resolution] {
        var kept: Deque<Submission> = []
        var resolved: [Resolution] = []
        for submission in queue {
            if isCancelled(submission.recipient) {
                resolved.append(Resolution(submission: submission, outcome: .unsent(.stopped)))
            } else {
                kept.append(submission)
            }
        }
        queue = kept
        return resolved
    }

    // MARK: Answers

    /// What the event loop does after a batch.
    struct FollowUp {
        /// Streams to reset: their answers are longer than any that APNs sends.
        var tooLong: [HTTP2Stream] = []
        /// The reason of a GOAWAY, or the name of its error code, to be logged.
        var goAway: String?
    }

    /// Handles the events of one read on the connection.
    ///
    /// - Parameter streamLimit: The limit of the gateway's latest SETTINGS.
    mutating func received(
        _ batch: borrowing HTTP2EventBatch, on index: Int, streamLimit: Int, at now: MonotonicTime,
        resolved: inout [Resolution]
    ) -> FollowUp {
        var followUp = FollowUp()
        heard(connection: index, at: now)
        for event in batch.events {
            switch event {
            case .head(let stream, let fields):
                connections[index]?.head(Int(stream.slot), batch, fields)
            case .body(let stream, let bytes):
                body(connection: index, slot: Int(stream.slot), bytes: batch.bytes(bytes))
            case .end(let stream, _):
                if let resolution = answered(connection: index, slot: Int(stream.slot)) { resolved.append(resolution) }
            case .bodyTooLong(let stream): followUp.tooLong.append(stream)
            case .closed(let stream, let code):
                // Nearly all streams end with NO_ERROR. Interpolating its name each time would cost more than
                // everything else here.
                if let resolution = closed(
                    connection: index, slot: Int(stream.slot), isRefused: code == .refusedStream,
                    description: code == .noError ? "NO_ERROR" : "\(code)",
                    resetHere: batch.resetsHere.isEmpty ? nil : batch.causeOfResetHere(stream, code), at: now)
                {
                    resolved.append(resolution)
                }
            case .settings: self.streamLimit(connection: index, streamLimit)
            case .goAway(_, let code, let debugData):
                let goAway = GoAway(code, debugData: batch.bytes(debugData))
                followUp.goAway = goAway.description
                self.goAway(connection: index, reason: goAway.reason, description: goAway.description)
            case .settingsAcknowledged, .pingAcknowledged: break
            }
        }
        return followUp
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

    /// The stream in `slot` is closed. A notification without an answer is sent again if the gateway surely did not
    /// process it; otherwise its outcome is unknown.
    ///
    /// - Parameters:
    ///   - isRefused: Whether the stream was reset with REFUSED_STREAM or is above the last stream of a GOAWAY.
    ///   - description: The name of the error code.
    ///   - resetHere: Why this side reset the stream, as a sentence; nil when the gateway ended it.
    mutating func closed(
        connection index: Int, slot: Int, isRefused: Bool, description: String, resetHere: String? = nil,
        at now: MonotonicTime
    ) -> Resolution? {
        guard let taken = connections[index]?.end(slot, isRefused: isRefused, at: now) else { return nil }
        if isRefused {
            queue.prepend(taken.submission)
            return nil
        }
        if taken.answer.status != 0 {  // the head of an answer is enough, its status says the outcome
            return Resolution(answered: taken)
        }
        let error = APNSSendError(
            .streamReset, resetHere ?? "the gateway ended the stream without an answer (\(description))",
            isSafeToRetry: false)
        return Resolution(submission: taken.submission, outcome: .unknown(error))
    }

    // MARK: Connections

    mutating func opened(connection index: Int, at now: MonotonicTime) { connections[index]?.open(at: now) }

    mutating func streamLimit(connection index: Int, _ limit: Int) { connections[index]?.setStreamLimit(limit) }

    mutating func heard(connection index: Int, at now: MonotonicTime) { connections[index]?.heard(at: now) }

    /// The gateway sent GOAWAY. Requests up to its last stream go on; no new one starts on this connection.
    ///
    /// - Parameters:
    ///   - reason: The reason in the debug data.
    ///   - description: The reason, or the error code, for messages.
    mutating func goAway(connection index: Int, reason: String?, description: String? = nil) {
        connections[index]?.drain(reason: reason, description: description ?? reason)
    }

    /// The connection is closed, or could not be opened.
    ///
    /// - Parameters:
    ///   - isPermanent: Whether the next attempt would fail in the same way.
    ///   - wasSent: Whether the whole request in a slot was written to the socket.
    mutating func lost(
        connection index: Int, description: String, isPermanent: Bool, at now: MonotonicTime,
        resolved: inout [Resolution],
        wasSent: (Int) -> Bool
    ) {
        guard let lost = connections[index] else { return }
        connections[index] = nil
        let description =
            lost.goAwayDescription.map { "the gateway sent GOAWAY (\($0)); \(description)" } ?? description
        var unsent: [Submission] = []
        for (slot, request) in lost.inFlight {
            if request.answer.status != 0 {
                resolved.append(Resolution(answered: request))
            } else if wasSent(slot) {
                let error = APNSSendError(
                    .connectionLost, "\(description) before the answer came; the notification may have been delivered",
                    isSafeToRetry: false)
                resolved.append(Resolution(submission: request.submission, outcome: .unknown(error)))
            } else {
                unsent.append(request.submission)
            }
        }
        queue.prepend(contentsOf: unsent)
        if let reason = lost.certificateRefusal {
            // Any new connection with this certificate is refused in the same way, so the queue is given up.
            let description = "the gateway closed the connection: \(reason); check the client certificate"
            return giveUp(APNSSendError(.connectionFailed, description, isSafeToRetry: true), resolved: &resolved)
        }
        if lost.wasDrainedInOrder { return }
        guard !lost.hasAnswered else {
            nextConnect = now + backOff.pause()
            return
        }
        nextConnect = now + backOff.failed()
        let error = APNSSendError(.connectionFailed, description, isSafeToRetry: true)
        lastFailure = error
        if isPermanent || backOff.failures >= limits.connectAttempts { giveUp(error, resolved: &resolved) }
    }

    /// Resolves everything that is queued as unsent.
    private mutating func giveUp(_ error: APNSSendError, resolved: inout [Resolution]) {
        for submission in queue { resolved.append(Resolution(submission: submission, outcome: .unsent(error))) }
        queue.removeAll()
        lastFailure = nil
        backOff.succeeded()
    }

    // MARK: Time

    /// Adds the actions that are due: connections to open, to close and to abort, and PINGs.
    mutating func plan(at now: MonotonicTime, actions: inout [Action], resolved: inout [Resolution]) {
        for index in connections.indices {
            guard let connection = connections[index] else { continue }
            switch connection.healthCheck(at: now, isClosing: isClosing, limits: limits) {
            case .nothing: break
            case .ping:
                connections[index]?.pinged(at: now)
                actions.append(.ping(connection: index))
            case .close:
                if connection.isOpen { connections[index]?.closedHere() }
                actions.append(.close(connection: index))
            case .abort: actions.append(.abort(connection: index))
            }
        }
        guard !queue.isEmpty, !isClosing, now >= nextConnect,
            !connections.contains(where: { $0?.certificateRefusal != nil })
        else { return }
        let usable = connections.filter { $0?.isUsable == true }
        // One at a time: another connection is worth its handshake only if the open ones leave notifications waiting.
        guard usable.count < limits.connections, !usable.contains(where: { $0?.isStarting(at: now) == true })
        else { return }
        let free = connections.firstIndex { $0 == nil } ?? connections.count
        if free == connections.count { connections.append(nil) }
        connections[free] = ProviderConnection(at: now)
        actions.append(.open(connection: free))
    }

    /// Resolves the submissions whose deadline has passed. It looks at every submission, so the event loop calls it on a
    /// timer and not in every turn.
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
                    .deadlineExceeded, "no answer came before the deadline; the notification may have been delivered",
                    isSafeToRetry: false)
                resolved.append(Resolution(submission: submission, outcome: .unknown(error)))
            }
        }
    }

    private var deadlineError: APNSSendError {
        APNSSendError(
            .deadlineExceeded,
            lastFailure.map { "the deadline passed before a connection was open: \($0.detail)" }
                ?? (connections.contains { $0?.isOpen == true }
                    ? "the deadline passed before a stream was free"
                    : "the deadline passed before a connection was open"),
            isSafeToRetry: true)
    }

    /// Opens no more connections and resolves everything that is queued as unsent. In-flight requests may end.
    mutating func close() -> [Resolution] {
        isClosing = true
        var resolved: [Resolution] = []
        giveUp(.closedProvider, resolved: &resolved)
        return resolved
    }

    /// Whether there is neither a connection nor a queued submission, so that no timer is needed.
    var isIdle: Bool { queue.isEmpty && !connections.contains { $0 != nil } }

    /// The indexes of the connections that take a stream now, those with the fewest streams first.
    func availableConnections(at now: MonotonicTime) -> [Int] {
        connections.indices.filter { connections[$0]?.takesStream(at: now) == true }
            .sorted { (connections[$0]?.streams ?? 0) < (connections[$1]?.streams ?? 0) }
    }
}
