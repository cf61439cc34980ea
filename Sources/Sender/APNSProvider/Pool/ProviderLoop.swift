import APNSModel
import APNSPayload
import APNSTransport
import HTTP2Session
import Logging
import NIOCore
import ProviderToken
import TLSSession

/// The body of a provider on its event loop: asks `ProviderCore` and does as told. Everything here belongs to that loop.
final class ProviderLoop {
    typealias Core = ProviderCore

    let eventLoop: any EventLoop
    private let endpoint: TransportEndpoint
    private let authority: [UInt8]
    private let tokens: SignedTokenSource?
    private let configuration: ProviderConfiguration
    private let logger: Logger
    private let inbox: Inbox

    private var core: Core
    private var connections: [ProviderConnectionDelegate?] = []
    private var ids = SeededGenerator(seed: .random(in: .min ... .max))
    private var nextID: UInt64 = 0
    private var spareMessages: [Inbox.Message] = []
    private var resolutions: [Core.Resolution] = []
    private var actions: [Core.Action] = []
    private var timer: Scheduled<Void>?
    private var timerIsSlow = false
    private var authorization: SignedToken?
    /// Counts the provider tokens, to tell which one a refusal speaks of.
    private var tokenNumber = 0
    private var authorizationChecked: MonotonicTime?
    private var isTurnScheduled = false
    private var closed: EventLoopPromise<Void>?

    init(
        eventLoop: any EventLoop, endpoint: TransportEndpoint, tokens: SignedTokenSource?,
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
                connections: max(1, configuration.connections), connectAttempts: max(1, configuration.connectAttempts),
                pingAfterSilence: configuration.pingAfterSilence, pingTimeout: configuration.pingTimeout),
            backOff: BackOff(
                first: configuration.backOff, longest: configuration.maximumBackOff,
                seed: .random(in: .min ... .max)))
    }

    // MARK: Submissions

    /// Takes what other tasks have posted.
    func emptyInbox() {
        inbox.take(reusing: &spareMessages)
        for message in spareMessages {
            switch message {
            case .submit(_, let submission): take(submission)
            case .cancel(let id):
                if let resolution = core.cancel(id, actions: &actions) { resolutions.append(resolution) }
            }
        }
        spareMessages.removeAll(keepingCapacity: true)
        work()
    }

    /// Whether notifications are still taken.
    var isTaking: Bool { !core.isClosing }

    /// For a notification of a bulk send; the ids of single ones come from the provider.
    func newID() -> UInt64 {
        nextID += 1
        return nextID | 1 << 63
    }

    /// Takes one notification. It goes out at the end of the turn.
    func submit(_ submission: Submission) {
        take(submission)
        guard !isTurnScheduled else { return }
        isTurnScheduled = true
        eventLoop.assumeIsolated().execute {
            self.isTurnScheduled = false
            self.work()
        }
    }

    private func take(_ submission: Submission) {
        if submission.apnsID.isEmpty { submission.apnsID = NotificationID.lowercase(using: &ids) }
        core.submit(submission)
    }

    /// Gives back what waits of a bulk send.
    func stop(_ owner: BulkRun) {
        resolutions += core.cancelQueued { ticket in
            if case .bulk(let other, _) = ticket { other === owner } else { false }
        }
        work()
    }

    // MARK: Turns

    /// Does all that can be done now.
    private func work() {
        let now = MonotonicTime.now
        let availableConnections = core.availableConnections(at: now)
        if !availableConnections.isEmpty, core.queued > 0 {
            // A burst is dealt out over the connections instead of filling the first one.
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

    /// Writes what the connection takes to its session; the connection sends it with its next flush.
    private func fill(_ index: Int, atMost count: Int = .max, at now: MonotonicTime) {
        guard let connection = connections[index]?.connection, core.queued > 0 else { return }
        let keyError = renewAuthorization(at: now)
        core.fill(index, atMost: count, at: now, tokenNumber: tokenNumber, resolved: &resolutions) { submission in
            if let keyError { return .failed(APNSSendError(.signingFailed, keyError.detail, isSafeToRetry: true)) }
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
            // Path, id and mostly expiration differ each time; in the table they would only push out what repeats.
            fields.add(":path", prefix: "/3/device/", notification.deviceToken.hex, isIndexed: false)
            fields.add(":authority", authority)
            if let authorization { fields.add("authorization", authorization.authorization) }
            // Empty where a notification that a gateway recorded had none.
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

    /// Asks for the current provider token, once a second at the most.
    private func renewAuthorization(at now: MonotonicTime) -> KeyError? {
        guard let tokens else { return nil }
        if let checked = authorizationChecked, now - checked < .seconds(1) { return nil }
        do throws(KeyError) {
            let token = try tokens.token(now: .continuous, wallClock: WallClock.secondsSince1970)
            authorizationChecked = now
            guard token != authorization else { return nil }
            authorization = token
            tokenNumber += 1
            return nil
        } catch {
            return error
        }
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
                        TransportError(.silent, "the gateway did not answer a PING, so the connection is dead"))
                case .ping(let index):
                    connections[index]?.connection?.http2.ping(0)
                    connections[index]?.connection?.flush()
                case .reset(let index, let slot): connections[index]?.reset(slot: slot)
                }
            }
        }
    }

    /// Tells everybody whose notification was resolved.
    private func resolve() {
        while !resolutions.isEmpty {
            var batch: [Core.Resolution] = []
            swap(&batch, &resolutions)
            let now = MonotonicTime.now
            var singles = 0
            var waking: [(Caller, APNSOutcome)] = []
            var owners: [BulkRun] = []
            for resolution in batch {
                noteExpiredToken(resolution)
                switch resolution.submission.ticket {
                case .single(let caller):
                    singles += 1
                    if caller.isOnLoop {
                        caller.resolve(resolution.outcome)
                    } else {
                        waking.append((caller, resolution.outcome))
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
            ProviderLoop.wake(waking)
            if inbox.resolved(singles) { eventLoop.assumeIsolated().execute { self.emptyInbox() } }
        }
    }

    /// Resumes callers that run elsewhere. Many at once are resumed from a task of their own: each of them wakes a sleeping
    /// thread of the pool, and that thread would go back to sleep before the next one is resumed here.
    private static func wake(_ callers: [(Caller, APNSOutcome)]) {
        guard callers.count > 4 else {
            for (caller, outcome) in callers { caller.resolve(outcome) }
            return
        }
        Task { for (caller, outcome) in callers { caller.resolve(outcome) } }
    }

    private func noteExpiredToken(_ resolution: Core.Resolution) {
        guard let refused = resolution.refusedToken, refused == tokenNumber, let authorization,
            case .refused(let refusal) = resolution.outcome, refusal.reason == .expiredProviderToken
        else { return }
        tokens?.expired(authorization)
        authorizationChecked = nil
    }

    // MARK: Time

    /// Looks again soon while something is under way, and once a second while connections only stand by.
    private func schedule() {
        if core.isIdle {
            timer?.cancel()
            timer = nil
            if let closed {
                closed.succeed()
                self.closed = nil
            }
            return
        }
        let isSlow = core.queued == 0 && core.underWay == 0 && closed == nil
        if timer != nil, timerIsSlow == isSlow || isSlow { return }
        timer?.cancel()
        timerIsSlow = isSlow
        timer = eventLoop.assumeIsolated().scheduleTask(in: isSlow ? .seconds(1) : .milliseconds(20)) {
            self.timer = nil
            let now = MonotonicTime.now
            for caller in self.inbox.expire(at: now) { caller.resolve(.unsent(.noRoomInTime)) }
            self.core.expire(at: now, actions: &self.actions, resolved: &self.resolutions)
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
        let rest = core.received(
            batch, on: index, streamLimit: connection.http2.peerMaxConcurrentStreams, at: now, resolved: &resolutions)
        for stream in rest.tooLong { connection.http2.reset(stream, .cancel) }
        if let reason = rest.goAway { logger.info("the gateway said GOAWAY", metadata: ["reason": "\(reason)"]) }
        fill(index, at: now)
        // What is left, a new connection or a word to the callers, waits until the answers of this read are through.
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
        logger.debug("connection lost", metadata: ["connection": "\(index)", "error": "\(description)"])
        core.lost(
            connection: index, description: description, isPermanent: error?.isPermanent ?? false, at: .now,
            resolved: &resolutions
        ) { slot in
            guard let connection, let stream = connection.http2.stream(inSlot: slot) else { return true }
            return connection.http2.wasSent(stream)
        }
        endOfTurn()
    }

    /// Ends in order: what waits is given back, what is under way may end.
    func close() -> EventLoopFuture<Void> {
        let closed = eventLoop.makePromise(of: Void.self)
        if let earlier = self.closed { earlier.futureResult.cascade(to: closed) } else { self.closed = closed }
        for caller in inbox.close() { caller.resolve(.unsent(.closedProvider)) }
        emptyInbox()
        resolutions += core.close()
        work()
        return closed.futureResult
    }
}
