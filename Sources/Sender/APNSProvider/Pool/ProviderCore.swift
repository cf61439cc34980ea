import APNSModel
import HTTP2Session

/// The sender's decisions, without I/O, clock or random source: which connection a notification is written to, what a
/// broken connection means for each of its in-flight requests, when to connect, to send a PING and to give up.
///
/// Every submission gets exactly one `Resolution`.
struct ProviderCore {
    /// A submission that has its outcome.
    struct Resolution {
        let submission: Submission
        /// The number of the provider token that the notification was written with; 0 without an answer.
        let tokenNumber: Int
        /// The status of the answer; 0 without one.
        let status: Int

        init(submission: Submission, outcome: consuming APNSOutcome) {
            submission.resolve(outcome)
            self.submission = submission
            tokenNumber = 0
            status = 0
        }

        init(answered request: InFlightRequest) {
            if let channels = request.submission.channels { channels.answer = request.answer }
            request.submission.resolve(request.outcome)
            submission = request.submission
            tokenNumber = request.tokenNumber
            status = request.answer.status
        }

        /// The number of the provider token that the notification was written with; nil unless the answer's status is
        /// 403.
        var refusedToken: Int? { status == 403 ? tokenNumber : nil }

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
        /// After this many failed attempts, and no answer ever, what waits is unsent; nil waits for each deadline.
        var connectAttempts: Int?
        /// How many streams to open before the gateway's SETTINGS have come. APNs allows a connection with provider tokens
        /// one at first.
        var initialStreams = 1
        /// With open streams.
        var pingAfterSilence: Duration = .seconds(15)
        /// Without open streams.
        var pingWhenIdle: Duration = .seconds(3600)
        var pingTimeout: Duration = .seconds(10)
        /// Nil keeps connections without streams open.
        var idleTimeout: Duration?
    }

    private let limits: Limits
    /// The number of the event loop among those of the provider.
    private let loop: Int
    let attempts: GatewayAttempts
    /// Whether `attempts` holds the other loops back because a connection of this one is starting.
    private var holdsOthersBack = false
    /// The times that the provider has given up, as far as this loop has noticed.
    private var seenSurrender = 0
    /// Whether a connection is to be opened though nothing is queued: other event loops got what was.
    var isWanted = false
    var queue = SubmissionQueue()
    var deadlines = DeadlineWheel()
    var connections: [ProviderConnection?] = []
    private var lastFailure: APNSSendError?
    /// When a connection that had answered was lost last.
    private var lastServed: MonotonicTime?
    private var hasEverAnswered = false
    private(set) var isClosing = false

    /// - Parameters:
    ///   - loop: The number of the event loop among those of the provider.
    ///   - attempts: Those of all its loops.
    init(limits: Limits, loop: Int = 0, attempts: GatewayAttempts) {
        self.limits = limits
        self.loop = loop
        self.attempts = attempts
    }

    init(limits: Limits, reconnection: ReconnectionPolicy) {
        self.init(limits: limits, attempts: GatewayAttempts(reconnection))
    }

    // MARK: Submissions

    /// Submissions that wait for a connection.
    var queued: Int { queue.count }

    /// Submissions that were written and are not resolved.
    var underWay: Int { connections.reduce(0) { $0 + ($1?.underWay ?? 0) } }

    mutating func submit(_ submission: Submission) {
        noteSurrender()
        queue.append(submission)
        deadlines.add(submission)
    }

    /// - Parameter group: The submissions of its bulk send.
    mutating func submit(_ submission: Submission, in group: SubmissionGroup) {
        noteSurrender()
        queue.append(submission)
        group.append(submission)
        if !group.isWatched { watch(group, from: submission.deadline) }
    }

    mutating func watch(_ group: SubmissionGroup, from deadline: MonotonicTime) {
        group.isWatched = true
        group.deadline = deadline
        deadlines.add(group)
    }

    /// Submissions that were looked at so far to cancel or expire others.
    var visited: Int { queue.visited + deadlines.visited }

    /// Takes the submission for the next stream of the connection from the queue; nil when the connection takes no
    /// stream now or the queue is empty.
    mutating func next(on index: Int, at now: MonotonicTime, resolved: inout [Resolution]) -> Submission? {
        guard connections[index]?.takesStream(at: now) == true else { return nil }
        while let submission = queue.popFirst() {
            guard submission.deadline > now else {
                resolved.append(Resolution(submission: submission, outcome: .unsent(deadlineError(for: submission))))
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
        submission.place = .stream(connection: Int32(truncatingIfNeeded: index), slot: Int32(truncatingIfNeeded: slot))
        connections[index]?.start(InFlightRequest(submission: submission, tokenNumber: tokenNumber), slot: slot)
    }

    /// Calls `write` with up to `count` submissions, one after the other, while the connection takes streams.
    mutating func fill(
        _ index: Int, atMost count: Int, at now: MonotonicTime, tokenNumber: Int, resolved: inout [Resolution],
        write: (Submission) -> WriteResult
    ) {
        if let expired = connections[index]?.expiredToken, expired < tokenNumber { replace(index, at: now) }
        var left = count
        while left > 0, let submission = next(on: index, at: now, resolved: &resolved) {
            left -= 1
            switch write(submission) {
            case .stream(let slot): started(submission, on: index, slot: slot, tokenNumber: tokenNumber)
            case .failed(let error):
                resolved.append(Resolution(submission: submission, outcome: .unsent(error)))
            case .full: return notStarted(submission, on: index, at: now)
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
    mutating func notStarted(_ submission: Submission, on index: Int, at now: MonotonicTime) {
        queue.prepend(submission)
        drain(index, at: now)
    }

    // MARK: Answers

    mutating func head(connection index: Int, slot: Int, _ head: ResponseHead) { connections[index]?.head(slot, head) }

    mutating func body(connection index: Int, slot: Int, bytes: UnsafeRawBufferPointer) {
        connections[index]?.body(slot, bytes)
    }

    /// The answer on `slot` is complete.
    mutating func answered(connection index: Int, slot: Int, at now: MonotonicTime) -> Resolution? {
        guard let request = connections[index]?.answered(slot, at: now) else { return nil }
        if connections[index]?.noteSteadiness() == true { attempts.worksSteadily() }
        if !hasEverAnswered {
            hasEverAnswered = true
            attempts.answered()
        }
        lastFailure = nil
        let resolution = Resolution(answered: request)
        if resolution.status != 200 { refused(resolution, on: index, at: now) }
        return resolution
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
        if taken.hasHead { return Resolution(answered: taken) }
        if isRefused {
            queue.prepend(taken.submission)
            return nil
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
    mutating func goAway(
        connection index: Int, reason: String?, description: String? = nil, _ code: HTTP2ErrorCode = .noError,
        at now: MonotonicTime
    ) {
        drain(
            index, reason: reason, description: description ?? reason ?? "\(code)", isInOrder: code == .noError, at: now
        )
    }

    mutating func drain(
        _ index: Int, reason: String? = nil, description: String? = nil, isInOrder: Bool = true, at now: MonotonicTime
    ) {
        guard let connection = connections[index] else { return }
        connections[index]?.drain(reason: reason, description: description)
        guard !connection.isDraining else { return }
        if connection.hasAnswered { lastServed = now }
        let isRefusal = connections[index]?.certificateRefusal != nil
        attempts.ended(
            isInOrder && !isRefusal ? .inOrder : .failed, wasSteady: connection.wasSteady(at: now), at: now)
    }

    /// The connection is closed, or could not be opened.
    ///
    /// What it had not written, or what the gateway surely did not process, waits for another connection.
    ///
    /// - Parameters:
    ///   - isPermanent: Whether the next attempt would fail in the same way.
    ///   - isHandshakeRefused: Whether the gateway refused the TLS handshake, and so has processed nothing. With TLS 1.3
    ///     that may come after requests were written.
    ///   - refusesCertificate: Whether it did so because of the client certificate.
    ///   - wasSent: Whether the whole request in a slot was written to the socket.
    mutating func lost(
        connection index: Int, description: String, isPermanent: Bool, isHandshakeRefused: Bool = false,
        refusesCertificate: Bool = false, at now: MonotonicTime, resolved: inout [Resolution], wasSent: (Int) -> Bool
    ) {
        guard let lost = connections[index] else { return }
        connections[index] = nil
        let processedNothing = isHandshakeRefused && !lost.hasAnswered
        var unsent: [Submission] = []
        for (slot, request) in lost.inFlight {
            if request.hasHead {
                resolved.append(Resolution(answered: request))
            } else if processedNothing {
                unsent.append(request.submission)
            } else if wasSent(slot) {
                let error = APNSSendError(
                    .connectionLost,
                    "\(lost.cause(description)) before the answer came; the notification may have been delivered",
                    isSafeToRetry: false)
                resolved.append(Resolution(submission: request.submission, outcome: .unknown(error)))
            } else {
                unsent.append(request.submission)
            }
        }
        queue.prepend(contentsOf: unsent)
        if !lost.isDraining { attempts.ended(.failed, wasSteady: lost.wasSteady(at: now), at: now) }
        var error = APNSSendError(.connectionFailed, lost.failure(description), isSafeToRetry: true)
        error.isCertificateRefused = refusesCertificate || lost.certificateRefusal != nil
        lastFailure = error
        if lost.hasAnswered { lastServed = now } else { attempts.failed() }
        guard let limit = limits.connectAttempts, !hasUsableConnection else { return }
        if attempts.surrenders(after: limit, isPermanent: isPermanent || lost.certificateRefusal != nil, error) {
            seenSurrender = attempts.surrender.number
            giveUp(error, resolved: &resolved)
        }
    }

    var hasUsableConnection: Bool { connections.contains { $0?.isUsable == true } }

    /// A notification comes into an empty queue. That another event loop has given up before is nothing to it.
    private mutating func noteSurrender() {
        if limits.connectAttempts != nil, queue.isEmpty { seenSurrender = attempts.surrender.number }
    }

    /// Gives up what is queued if another event loop of the provider has given up.
    private mutating func joinSurrender(resolved: inout [Resolution]) {
        guard limits.connectAttempts != nil, !queue.isEmpty, !attempts.hasEverAnswered else { return }
        let surrender = attempts.surrender
        guard surrender.number > seenSurrender else { return }
        seenSurrender = surrender.number
        if let error = surrender.error, !hasUsableConnection { giveUp(error, resolved: &resolved) }
    }

    /// Resolves everything that is queued as unsent.
    private mutating func giveUp(_ error: APNSSendError, resolved: inout [Resolution]) {
        for submission in queue.removeAll() {
            resolved.append(Resolution(submission: submission, outcome: .unsent(error)))
        }
    }

    // MARK: Time

    /// Adds the actions that are due: connections to open, to close and to abort, and PINGs.
    mutating func plan(at now: MonotonicTime, actions: inout [Action], resolved: inout [Resolution]) {
        if isClosing, !queue.isEmpty { giveUp(.closedProvider, resolved: &resolved) }
        for index in connections.indices {
            guard let connection = connections[index] else { continue }
            if connections[index]?.noteSilence(at: now) == true { attempts.isSilent() }
            switch connection.healthCheck(at: now, isClosing: isClosing, limits: limits) {
            case .nothing: break
            case .ping:
                connections[index]?.pinged(at: now)
                actions.append(.ping(connection: index))
            case .close:
                // This side closes the connection, which is not a failure.
                if connection.isOpen { connections[index]?.drain() }
                actions.append(.close(connection: index))
            case .abort: actions.append(.abort(connection: index))
            }
        }
        if holdsOthersBack, !isStarting(at: now) {
            holdsOthersBack = false
            attempts.settled(loop: loop)
        }
        joinSurrender(resolved: &resolved)
        guard !queue.isEmpty || isWanted, !isClosing else { return }
        // One at a time: another connection is worth its handshake only if the others leave notifications waiting, which
        // shows after the first answer. Before it the gateway may allow one stream only.
        guard connections.count(where: { $0?.isUsable == true }) < limits.connections, !isStarting(at: now) else {
            isWanted = false
            return
        }
        guard attempts.connect(loop: loop, at: now) else { return }
        holdsOthersBack = true
        isWanted = false
        let free = connections.firstIndex { $0 == nil } ?? connections.count
        if free == connections.count { connections.append(nil) }
        connections[free] = ProviderConnection(at: now, initialStreamLimit: limits.initialStreams)
        actions.append(.open(connection: free))
    }

    /// Open connections, those that start no new streams included.
    var openConnections: Int { connections.count { $0?.isConnecting == false } }

    func isStarting(at now: MonotonicTime) -> Bool { connections.contains { $0?.isStarting(at: now) == true } }

    /// Why `submission` was not written before its deadline.
    func deadlineError(for submission: Submission) -> APNSSendError {
        let missing =
            connections.contains { $0?.isOpen == true }
            ? "the deadline passed before a stream was free" : "the deadline passed before a connection was open"
        guard let lastFailure, !connections.contains(where: { $0?.isOpen == true }) else {
            let obstacle = connections.lazy.compactMap { $0?.isOpen == true ? $0?.obstacle : nil }.first
            return APNSSendError(
                .deadlineExceeded, obstacle.map { "\(missing): \($0)" } ?? missing, isSafeToRetry: true)
        }
        // Without a working connection in all its time, the cause is the gateway and not the length of the time.
        let code =
            lastServed.map { $0 > submission.submitted } == true
            ? APNSSendError.Code.deadlineExceeded : .connectionFailed
        var error = APNSSendError(code, "\(missing): \(lastFailure.detail)", isSafeToRetry: true)
        error.isCertificateRefused = lastFailure.isCertificateRefused
        return error
    }

    /// Opens no more connections and resolves everything that is queued as unsent. In-flight requests may end.
    mutating func close() -> [Resolution] {
        isClosing = true
        isWanted = false
        var resolved: [Resolution] = []
        giveUp(.closedProvider, resolved: &resolved)
        return resolved
    }

    /// Whether there is neither a connection nor a queued submission, so that no timer is needed.
    var isIdle: Bool { queue.isEmpty && !isWanted && !connections.contains { $0 != nil } }

    /// The indexes of the connections that take a stream now, those with the fewest streams first.
    func availableConnections(at now: MonotonicTime) -> [Int] {
        connections.indices.filter { connections[$0]?.takesStream(at: now) == true }
            .sorted { (connections[$0]?.streams ?? 0) < (connections[$1]?.streams ?? 0) }
    }
}
