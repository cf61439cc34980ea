import APNSModel
import APNSPayload
import APNSTransport
import HTTP2Session
import Logging
import NIOCore
import ProviderMetrics
import ProviderToken
import SystemFiles
import TLSSession

/// One event loop of a provider, with its share of the connections: asks `ProviderCore` what to do and does it. Everything
/// here is confined to that loop.
final class ProviderLoop {
    typealias Core = ProviderCore

    /// What all event loops of a provider share.
    struct Shared: Sendable {
        let endpoint: TransportEndpoint
        let tokens: ProviderTokenSource?
        let configuration: ProviderConfiguration
        let inbox: Inbox
        let attempts: GatewayAttempts
        /// The number of event loops.
        let loops: Int
        let logger: Logger
        /// Nil without a metrics backend.
        let meter: ProviderMeter?

        init(
            endpoint: TransportEndpoint, tokens: ProviderTokenSource?, configuration: ProviderConfiguration,
            inbox: Inbox,
            loops: Int = 1, logger: Logger
        ) {
            self.endpoint = endpoint
            self.tokens = tokens
            self.configuration = configuration
            self.inbox = inbox
            self.loops = loops
            self.logger = logger
            meter = ProviderMeter(
                configuration.metrics, gateway: "\(configuration.gateway.host):\(configuration.gateway.port)",
                loops: loops)
            attempts = GatewayAttempts(
                ReconnectionPolicy(
                    first: configuration.backOff, longest: configuration.maximumBackOff,
                    seed: .random(in: .min ... .max)))
        }
    }

    let eventLoop: any EventLoop
    /// Its number among the event loops of the provider.
    let index: Int
    let shared: Shared
    let authority: [UInt8]
    let inbox: Inbox
    let load = LoopLoad()
    /// The other event loops of the provider, until it is closed.
    var others: [ProviderLane] = []

    var core: Core
    var connections: [ProviderConnectionDelegate?] = []
    private var ids = SeededGenerator(seed: .random(in: .min ... .max))
    private var spareMessages: [Inbox.Message] = []
    var resolutions: [Core.Resolution] = []
    var actions: [Core.Action] = []
    var timer: Scheduled<Void>?
    private var timerIsSlow = false
    var authorization: SignedToken?
    /// Counts the provider tokens, so that a refusal is matched with the token it was about.
    var tokenNumber = 0
    var authorizationChecked: MonotonicTime?
    /// Whether the gateway has accepted a notification with the current provider token.
    var isTokenAccepted = false
    private var headerCheck = HeaderCheck()
    /// Nil without a metrics backend.
    var metrics: LoopMetrics?
    /// The last refusal of the credentials that was logged, and the number of the provider token that it was about.
    var loggedRefusal: (reason: String, tokenNumber: Int)?
    var isTurnScheduled = false
    /// Bulk sends that have not passed on their last result.
    var bulkRuns: [ObjectIdentifier: BulkRun] = [:]
    /// Completes when the provider is closed.
    var closed: EventLoopPromise<Void>?
    /// The time limits of closing.
    var closeTimers: [Scheduled<Void>] = []

    init(eventLoop: any EventLoop, index: Int = 0, shared: Shared) {
        let configuration = shared.configuration
        self.eventLoop = eventLoop
        self.index = index
        self.shared = shared
        authority = Array(configuration.gateway.authority.utf8)
        inbox = shared.inbox
        metrics = shared.meter.map { LoopMetrics(meter: $0) }
        core = Core(
            limits: Core.Limits(
                connections: ProviderLane.share(
                    of: max(1, configuration.connections), index: index, count: shared.loops),
                connectAttempts: configuration.connectAttempts.map { max(1, $0) },
                // The SETTINGS show that the gateway has accepted a client certificate, if TLS 1.3 judges it late.
                initialStreams: shared.tokens == nil ? 0 : 1,
                pingAfterSilence: configuration.pingAfterSilence, pingWhenIdle: configuration.pingWhenIdle,
                pingTimeout: configuration.pingTimeout, idleTimeout: configuration.idleTimeout),
            loop: index, attempts: shared.attempts)
    }

    // MARK: Submissions

    /// Handles the messages that other tasks have posted.
    func emptyInbox() {
        inbox.take(index, reusing: &spareMessages)
        for message in spareMessages {
            switch message {
            case .submit(let submission):
                addID(to: submission)
                core.submit(submission)
            case .move(let submission): receive(submission)
            case .cancel(let submission) where shared.loops > 1 && inbox.loop(of: submission) != index:
                // Passed on to another event loop after this message was posted. Where this one is closed, that one is
                // closing.
                if !others.isEmpty { wake(after: inbox.cancel(submission).posted) }
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
    ///
    /// - Parameter run: The bulk send, where notifications of it came from other event loops; they are in no group.
    func stop(_ group: SubmissionGroup, of run: BulkRun? = nil) {
        resolutions += core.cancelQueued(of: group)
        if let run { resolutions += core.cancelQueued { $0.isPart(of: run) } }
        work()
    }

    /// Resolves the queued requests of single callers as unsent.
    func stopWaiting() {
        emptyInbox()
        resolutions += core.cancelQueued { $0.isSingle }
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
        if !others.isEmpty { share(at: now) }
        perform()
        resolve()
        schedule()
    }

    /// Writes up to `count` queued notifications to a connection's session. They are sent with its next flush.
    func fill(_ index: Int, atMost count: Int = .max, at now: MonotonicTime) {
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
            if let problem = headerCheck.problem(in: submission) {
                return .failed(APNSSendError(.invalidNotification, problem, isSafeToRetry: true))
            }
            do throws(HTTP2Error) {
                let stream = try request(submission, on: connection)
                if let observer = shared.configuration.exchangeObserver {
                    report(submission, stream, on: index, to: observer)
                }
                return .stream(Int(stream.slot))
            } catch  where error.code == .headerListTooLarge {
                return .failed(APNSSendError(.invalidNotification, error.detail, isSafeToRetry: true))
            } catch {
                return .full
            }
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
    func resolve() {
        while !resolutions.isEmpty {
            var batch: [Core.Resolution] = []
            swap(&batch, &resolutions)
            let now = MonotonicTime.now
            var singles = 0
            var elsewhere: [(Caller, APNSOutcome)] = []
            var owners: [BulkRun] = []
            var part: BulkPart?
            let (index, isMetered) = (index, metrics != nil)
            for resolution in batch {
                noteTokenAnswer(resolution)
                if isMetered { metrics?.count(resolution, at: now) }
                if resolution.status != 200 { logFailure(resolution) }
                switch resolution.submission.recipient {
                case .unsubmitted: preconditionFailure("what was not submitted has no outcome")
                case .single(let caller):
                    singles += 1
                    if caller.loop == index {
                        caller.resolve(resolution.outcome)
                    } else {
                        elsewhere.append((caller, resolution.outcome))
                    }
                case .bulk(let owner, _):
                    if owners.last !== owner {
                        // The last one is the current one.
                        owners.removeAll { $0 === owner }
                        owners.append(owner)
                        part = owner.parts[index]
                    }
                    resolution.submission.resolved = now
                    part?.resolved(resolution.submission)
                }
            }
            batch.removeAll(keepingCapacity: true)
            if resolutions.isEmpty { swap(&batch, &resolutions) }
            for owner in owners { owner.parts[index].turnEnded(of: owner) }
            ProviderLoop.resume(elsewhere)
            if inbox.resolved(singles, by: index) { eventLoop.assumeIsolated().execute { self.emptyInbox() } }
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

    // MARK: Time

    /// Sets the timer for deadlines and health checks: 20 ms while a notification has no outcome, one second while
    /// connections are idle, none without connections.
    private func schedule() {
        if core.isIdle {
            timer?.cancel()
            timer = nil
            reportMetrics()
            return finishClosing()
        }
        let isSlow = core.queued == 0 && core.underWay == 0 && isAccepting
        if timer != nil, timerIsSlow == isSlow || isSlow { return }
        timer?.cancel()
        timerIsSlow = isSlow
        timer = eventLoop.assumeIsolated().scheduleTask(in: isSlow ? .seconds(1) : .milliseconds(20)) {
            self.timer = nil
            let now = MonotonicTime.now
            for caller in self.inbox.expire(at: now) {
                self.metrics?.count(unsent: .deadlineBeforeAdmission)
                caller.resolve(.unsent(.deadlineBeforeAdmission))
            }
            self.core.expire(
                at: now, actions: &self.actions, resolved: &self.resolutions, wasSent: self.wasSent)
            self.work()
            self.reportMetrics()
        }
    }
}
