import APNSModel
import APNSPayload
import APNSTransport
import HTTP2Session
import Logging
import NIOCore
import ProviderToken
import SystemFiles
import TLSSession

/// A provider on its event loop: asks `ProviderCore` what to do and does it. Everything here is confined to that loop.
final class ProviderLoop {
    typealias Core = ProviderCore

    let eventLoop: any EventLoop
    private let endpoint: TransportEndpoint
    private let authority: [UInt8]
    private let tokens: ProviderTokenSource?
    private let configuration: ProviderConfiguration
    private let logger: Logger
    let inbox: Inbox

    var core: Core
    private(set) var connections: [ProviderConnectionDelegate?] = []
    private var ids = SeededGenerator(seed: .random(in: .min ... .max))
    private var nextID: UInt64 = 0
    private var spareMessages: [Inbox.Message] = []
    var resolutions: [Core.Resolution] = []
    private var actions: [Core.Action] = []
    private var timer: Scheduled<Void>?
    private var timerIsSlow = false
    private var authorization: SignedToken?
    /// Counts the provider tokens, so that a refusal is matched with the token it was about.
    private var tokenNumber = 0
    private var authorizationChecked: MonotonicTime?
    /// Whether the gateway has accepted a notification with the current provider token.
    private var isTokenAccepted = false
    private var headerCheck = HeaderCheck()
    private var isTurnScheduled = false
    /// Bulk sends that have not passed on their last result.
    var bulkRuns: [ObjectIdentifier: BulkRun] = [:]
    /// Completes when the provider is closed.
    var closed: EventLoopPromise<Void>?
    /// The time limits of closing.
    var closeTimers: [Scheduled<Void>] = []

    init(
        eventLoop: any EventLoop, endpoint: TransportEndpoint, tokens: ProviderTokenSource?,
        configuration: ProviderConfiguration, inbox: Inbox, logger: Logger
    ) {
        self.eventLoop = eventLoop
        self.endpoint = endpoint
        authority = Array(configuration.gateway.authority.utf8)
        self.tokens = tokens
        self.configuration = configuration
        self.inbox = inbox
        self.logger = logger
        core = Core(
            limits: Core.Limits(
                connections: max(1, configuration.connections),
                connectAttempts: configuration.connectAttempts.map { max(1, $0) },
                // The SETTINGS show that the gateway has accepted a client certificate, if TLS 1.3 judges it late.
                initialStreams: tokens == nil ? 0 : 1,
                pingAfterSilence: configuration.pingAfterSilence, pingWhenIdle: configuration.pingWhenIdle,
                pingTimeout: configuration.pingTimeout, idleTimeout: configuration.idleTimeout),
            reconnection: ReconnectionPolicy(
                first: configuration.backOff, longest: configuration.maximumBackOff,
                seed: .random(in: .min ... .max)))
    }

    // MARK: Submissions

    /// Handles the messages that other tasks have posted.
    func emptyInbox() {
        inbox.take(reusing: &spareMessages)
        for message in spareMessages {
            switch message {
            case .submit(let submission):
                addID(to: submission)
                core.submit(submission)
            case .cancel(let submission):
                if let resolution = core.cancel(submission, actions: &actions, wasSent: wasSent) {
                    resolutions.append(resolution)
                }
            }
        }
        spareMessages.removeAll(keepingCapacity: true)
        work()
    }

    /// Replaces the open connections.
    func replaceConnections() {
        core.replaceAll(at: .now)
        work()
    }

    /// Whether the provider still accepts notifications.
    var isAccepting: Bool { !core.isClosing }

    /// An id for a notification of a bulk send. The highest bit keeps it apart from the ids of single ones, which
    /// `PushProvider` counts.
    func newID() -> UInt64 {
        nextID += 1
        return nextID | 1 << 63
    }

    /// Queues one notification of a bulk send. It is written at the end of the turn.
    func submit(_ submission: Submission, in group: SubmissionGroup) {
        addID(to: submission)
        core.submit(submission, in: group)
        guard !isTurnScheduled else { return }
        isTurnScheduled = true
        eventLoop.assumeIsolated().execute {
            self.isTurnScheduled = false
            self.work()
        }
    }

    private func addID(to submission: Submission) {
        if submission.apnsID.isEmpty { submission.apnsID = NotificationID.lowercase(using: &ids) }
    }

    /// Resolves the queued notifications of a bulk send as unsent.
    func stop(_ group: SubmissionGroup) {
        resolutions += core.cancelQueued(of: group)
        work()
    }

    // MARK: Turns

    /// Writes queued notifications, performs due actions, hands out results and sets the timer.
    func work() {
        let now = MonotonicTime.now
        let availableConnections = core.availableConnections(at: now)
        if !availableConnections.isEmpty, core.queued > 0 {
            // An even share each; otherwise a burst fills the first connection and the others stay idle.
            let share = (core.queued + availableConnections.count - 1) / availableConnections.count
            for index in availableConnections {
                fill(index, atMost: share, at: now)
                connections[index]?.connection?.flush()
            }
        }
        core.plan(at: now, actions: &actions, resolved: &resolutions)
        perform()
        resolve()
        schedule()
    }

    /// Writes up to `count` queued notifications to a connection's session. They are sent with its next flush.
    private func fill(_ index: Int, atMost count: Int = .max, at now: MonotonicTime) {
        guard let connection = connections[index]?.connection, core.queued > 0 else { return }
        var keyError: KeyError?
        do throws(KeyError) {
            // The timer asks again soon while notifications wait.
            guard try renewAuthorization(at: now) else { return }
        } catch {
            keyError = error
        }
        core.fill(index, atMost: count, at: now, tokenNumber: tokenNumber, resolved: &resolutions) { submission in
            if let keyError { return .failed(APNSSendError(.signingFailed, keyError.detail, isSafeToRetry: true)) }
            if let problem = headerCheck.problem(in: submission.notification) {
                return .failed(APNSSendError(.invalidNotification, problem, isSafeToRetry: true))
            }
            do throws(HTTP2Error) {
                return .stream(Int(try request(submission, on: connection).slot))
            } catch  where error.code == .headerListTooLarge {
                return .failed(APNSSendError(.invalidNotification, error.detail, isSafeToRetry: true))
            } catch {
                return .full
            }
        }
    }

    private func request(
        _ submission: Submission, on connection: Connection<ProviderConnectionDelegate>
    ) throws(HTTP2Error) -> HTTP2Stream {
        let notification = submission.notification
        return try connection.http2.request(body: notification.payload) { fields in
            fields.add(":method", "POST")
            fields.add(":scheme", "https")
            // Path and id, and mostly the expiration, differ each time. In the dynamic table of HPACK they would evict
            // the fields that repeat.
            fields.add(":path", prefix: "/3/device/", notification.deviceToken.hex, isIndexed: false)
            fields.add(":authority", authority)
            if let authorization { fields.add("authorization", authorization.authorization) }
            // Empty in a replayed notification whose recording had none.
            if !notification.topic.value.isEmpty { fields.add("apns-topic", notification.topic.value) }
            if !notification.pushType.rawValue.isEmpty {
                fields.add("apns-push-type", notification.pushType.rawValue)
            }
            fields.add("apns-id", submission.apnsID, isIndexed: false)
            if let priority = notification.priority { fields.add("apns-priority", priority.rawValue) }
            if let expiration = notification.expiration {
                fields.add("apns-expiration", Int(expiration.secondsSince1970), isIndexed: false)
            }
            if let collapseID = notification.collapseID {
                fields.add("apns-collapse-id", collapseID.value, isIndexed: false)
            }
        }
    }

    /// Takes over the current provider token, at most once a second if the key is the same.
    ///
    /// - Returns: Whether there is one. False while the first one is being signed elsewhere.
    private func renewAuthorization(at now: MonotonicTime) throws(KeyError) -> Bool {
        guard let tokens else { return true }
        if let checked = authorizationChecked, now - checked < .seconds(1),
            authorization?.keyNumber == tokens.keyNumber
        {
            return true
        }
        guard let token = try tokens.token(now: .continuous, wallClock: WallClock.secondsSince1970) else {
            return false
        }
        authorizationChecked = now
        guard token != authorization else { return true }
        if let authorization, authorization.keyNumber != token.keyNumber { core.replaceAll(at: now) }
        authorization = token
        tokenNumber += 1
        isTokenAccepted = false
        return true
    }

    private func perform() {
        while !actions.isEmpty {
            let batch = actions
            actions.removeAll(keepingCapacity: true)
            for action in batch {
                switch action {
                case .open(let index): connect(index)
                case .close(let index): connections[index]?.close()
                case .abort(let index):
                    connections[index]?.connection?.fail(
                        TransportError(.silent, "the gateway did not answer a PING"))
                case .ping(let index):
                    connections[index]?.connection?.http2.ping(0)
                    connections[index]?.connection?.flush()
                case .reset(let index, let slot): connections[index]?.reset(slot: slot)
                }
            }
        }
    }

    /// Hands out the results of everything that was resolved.
    private func resolve() {
        while !resolutions.isEmpty {
            var batch: [Core.Resolution] = []
            swap(&batch, &resolutions)
            let now = MonotonicTime.now
            var singles = 0
            var elsewhere: [(Caller, APNSOutcome)] = []
            var owners: [BulkRun] = []
            for resolution in batch {
                noteTokenAnswer(resolution)
                switch resolution.submission.recipient {
                case .single(let caller):
                    singles += 1
                    if caller.isOnLoop {
                        caller.resolve(resolution.outcome)
                    } else {
                        elsewhere.append((caller, resolution.outcome))
                    }
                case .bulk(let owner, _):
                    if owners.last !== owner, !owners.contains(where: { $0 === owner }) { owners.append(owner) }
                    resolution.submission.resolved = now
                    owner.resolved(resolution.submission)
                }
            }
            batch.removeAll(keepingCapacity: true)
            if resolutions.isEmpty { swap(&batch, &resolutions) }
            for owner in owners { owner.turnEnded() }
            ProviderLoop.resume(elsewhere)
            if inbox.resolved(singles) { eventLoop.assumeIsolated().execute { self.emptyInbox() } }
        }
    }

    /// Resumes callers on other threads. Resuming one wakes a sleeping thread of the pool, which goes back to sleep before
    /// this thread has resumed the next. So many callers are resumed by one task in the pool.
    private static func resume(_ callers: [(Caller, APNSOutcome)]) {
        guard callers.count > 4 else {
            for (caller, outcome) in callers { caller.resolve(outcome) }
            return
        }
        Task { for (caller, outcome) in callers { caller.resolve(outcome) } }
    }

    /// Reports the first acceptance of the current provider token, and each refusal that may be due to it.
    private func noteTokenAnswer(_ resolution: Core.Resolution) {
        guard let tokens, resolution.tokenNumber == tokenNumber, let authorization else { return }
        switch resolution.status {
        case 200:
            guard !isTokenAccepted else { return }
            isTokenAccepted = true
            tokens.accepted(authorization)
        case 403, 429:
            guard case .refused(let refusal) = resolution.outcome else { return }
            tokens.refused(authorization, refusal.reason)
            if refusal.reason == .expiredProviderToken { authorizationChecked = nil }
        default: break
        }
    }

    // MARK: Time

    /// Sets the timer for deadlines and health checks: 20 ms while a notification has no outcome, one second while
    /// connections are idle, none without connections.
    private func schedule() {
        if core.isIdle {
            timer?.cancel()
            timer = nil
            return finishClosing()
        }
        let isSlow = core.queued == 0 && core.underWay == 0 && isAccepting
        if timer != nil, timerIsSlow == isSlow || isSlow { return }
        timer?.cancel()
        timerIsSlow = isSlow
        timer = eventLoop.assumeIsolated().scheduleTask(in: isSlow ? .seconds(1) : .milliseconds(20)) {
            self.timer = nil
            let now = MonotonicTime.now
            for caller in self.inbox.expire(at: now) { caller.resolve(.unsent(.deadlineBeforeAdmission)) }
            self.core.expire(
                at: now, actions: &self.actions, resolved: &self.resolutions, wasSent: self.wasSent)
            self.work()
        }
    }

    // MARK: Connections

    private func connect(_ index: Int) {
        while connections.count <= index { connections.append(nil) }
        let delegate = ProviderConnectionDelegate(index: index, loop: self)
        connections[index] = delegate
        logger.debug("connecting", metadata: ["gateway": "\(configuration.gateway)", "connection": "\(index)"])
        TransportClient.connect(
            to: endpoint, limits: .client, timeout: TimeAmount(configuration.connectTimeout), on: eventLoop,
            delegate: delegate
        ).assumeIsolated().whenFailure { error in
            delegate.connectFailed(error as? TransportError ?? TransportError(.connectFailed, "\(error)"))
        }
    }

    func opened(_ delegate: ProviderConnectionDelegate) {
        core.opened(connection: delegate.index, at: .now)
        work()
    }

    func received(
        _ batch: borrowing HTTP2EventBatch, _ delegate: ProviderConnectionDelegate,
        _ connection: Connection<ProviderConnectionDelegate>
    ) {
        let index = delegate.index
        let now = connection.lastRead
        let followUp = core.received(
            batch, on: index, streamLimit: connection.http2.peerMaxConcurrentStreams, at: now, resolved: &resolutions)
        for stream in followUp.tooLong { connection.http2.reset(stream, .cancel) }
        if let reason = followUp.goAway { logger.info("the gateway sent GOAWAY", metadata: ["reason": "\(reason)"]) }
        fill(index, at: now)
        // Connections are opened and closed at the end of the turn, after all answers that came with this read.
        endOfTurn()
    }

    private func endOfTurn() {
        resolve()
        guard !isTurnScheduled else { return }
        isTurnScheduled = true
        eventLoop.assumeIsolated().execute {
            self.isTurnScheduled = false
            self.work()
        }
    }

    func lost(_ delegate: ProviderConnectionDelegate, _ error: TransportError?) {
        let index = delegate.index
        guard connections[index] === delegate else { return }
        let connection = delegate.connection
        connections[index] = nil
        let description = error?.detail ?? "the connection was closed"
        let isPermanent = error?.isPermanent ?? false
        logger.log(
            level: error == nil ? .debug : isPermanent ? .warning : .info, "connection lost",
            metadata: ["gateway": "\(configuration.gateway)", "connection": "\(index)", "error": "\(description)"])
        core.lost(
            connection: index, description: description, isPermanent: isPermanent,
            isHandshakeRefused: error?.code == .handshakeFailed, at: .now, resolved: &resolutions
        ) { slot in
            ProviderLoop.wasSent(slot, on: connection)
        }
        endOfTurn()
    }

    func wasSent(_ index: Int, _ slot: Int) -> Bool {
        ProviderLoop.wasSent(slot, on: connections[index]?.connection)
    }

    /// Whether the whole request in `slot` was written.
    private static func wasSent(_ slot: Int, on connection: Connection<ProviderConnectionDelegate>?) -> Bool {
        guard let connection, let stream = connection.http2.stream(inSlot: slot) else { return true }
        return connection.http2.wasSent(stream)
    }
}
