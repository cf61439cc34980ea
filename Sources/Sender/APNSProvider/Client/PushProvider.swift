public import APNSModel
import APNSPayload
import APNSTransport
public import Logging
import NIOCore
import NIOPosix
import ProviderToken
import Synchronization
import TLSSession

/// Sends notifications to APNs, or to a gateway simulator, over a few long-lived HTTP/2 connections.
///
/// Make one for each team and keep it: APNs treats many short connections as an attack. All connections of a provider run
/// on one event loop, so a provider uses at most one processor core; use another provider for another core. Dropping the
/// last reference closes the provider, but not before the results of its bulk sends are read.
public final class PushProvider: Sendable {
    private let configuration: ProviderConfiguration
    private let eventLoop: any EventLoop
    private let inbox: Inbox
    private let loop: NIOLoopBoundBox<ProviderLoop>
    private let loopExecutor: EventLoopExecutor
    private let lastID = Atomic<UInt64>(0)
    private let validator = Mutex(Validator())

    /// - Throws: `ProviderConfigurationError` when the gateway's host or port is impossible, or the certificate, its
    ///   key or the authorities cannot be used.
    public init(
        _ configuration: ProviderConfiguration, logger: Logger = Logger(label: "apns.provider")
    ) throws(ProviderConfigurationError) {
        self.configuration = configuration
        let eventLoop = MultiThreadedEventLoopGroup.singleton.next()
        let inbox = Inbox(
            limit: max(1, configuration.maximumPending), waitingLimit: max(0, configuration.maximumWaiting))
        let endpoint = TransportEndpoint(
            host: configuration.gateway.host, port: configuration.gateway.port,
            tls: try configuration.tlsContext())
        let tokens = configuration.tokenSource()
        self.eventLoop = eventLoop
        self.inbox = inbox
        loopExecutor = EventLoopExecutor(eventLoop)
        loop = .makeBoxSendingValue(
            ProviderLoop(
                eventLoop: eventLoop, endpoint: endpoint, tokens: tokens, configuration: configuration, inbox: inbox,
                logger: logger), eventLoop: eventLoop)
    }

    deinit { eventLoop.execute { [loop] in _ = loop.value.close() } }

    /// Runs tasks on the provider's event loop. A task that mostly calls `send` needs less than half of the processor time
    /// there, because no notification changes threads. It must not block a thread or compute for long.
    ///
    /// ```swift
    /// Task(executorPreference: provider.executor) {
    ///     for try await order in orders { _ = try await provider.send(notification(for: order)) }
    /// }
    /// ```
    public var executor: any TaskExecutor { loopExecutor }

    // MARK: Sending

    /// Sends one notification and waits for the gateway's answer.
    ///
    /// While `maximumPending` notifications have no outcome, further calls wait, at most `maximumWaiting` of them. The task can
    /// be cancelled at any time: the error says whether the notification may have been sent.
    ///
    /// - Parameter timeout: The time from now to the answer; nil is the configuration's `timeout`.
    /// - Returns: The gateway's answer, which may be a refusal.
    /// - Throws: `APNSSendError` when there is no answer. Its `isSafeToRetry` is true for unsent, false for unknown.
    public func send(
        _ notification: APNSNotification, timeout: Duration? = nil
    ) async throws(APNSSendError) -> Reply {
        if configuration.validates, let finding = firstError(for: notification) { throw APNSSendError(finding) }
        let caller = Caller(id: lastID.add(1, ordering: .relaxed).newValue, isOnLoop: eventLoop.inEventLoop)
        let now = MonotonicTime.now
        let submission = Submission(
            id: caller.id, notification: notification, recipient: .single(caller), submitted: now,
            deadline: now + (timeout ?? configuration.timeout))
        let outcome = await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                var posted = Inbox.Posted.queued
                caller.wait(continuation) {
                    posted = inbox.submit(submission)
                    wakeLoop(after: posted)
                }
                switch posted {
                case .wake, .queued: break
                case .closed: caller.resolve(.unsent(.closedProvider))
                case .full: caller.resolve(.unsent(.queueFull(configuration.maximumWaiting)))
                }
            }
        } onCancel: {
            caller.cancel {
                let (wasWaiting, posted) = inbox.cancel(submission)
                if wasWaiting { caller.resolve(.unsent(Caller.cancelledBeforeSubmission)) }
                wakeLoop(after: posted)
            }
        }
        return try outcome.reply()
    }

    private func firstError(for notification: APNSNotification) -> Finding? {
        // The validator keeps what it computed for the last payload. A call that finds it locked uses a new one instead
        // of waiting.
        if let found = validator.withLockIfAvailable({ $0.firstError(for: notification) }) { return found }
        var other = Validator()
        return other.firstError(for: notification)
    }

    private func wakeLoop(after posted: Inbox.Posted) {
        if case .wake = posted { eventLoop.execute { self.loop.value.emptyInbox() } }
    }

    /// Sends every notification of `source`, and returns the results in the order in which they arrive.
    ///
    /// The source is read on the provider's event loop, as fast as the gateway and the reader of the results allow: at
    /// most `window` notifications are between the two. The source must not block a thread.
    ///
    /// - Parameters:
    ///   - window: Nil is 1,000 for each connection and 300 more, at most `maximumPending`. A larger window is slower: each
    ///     notification waits longer, and has left the processor's caches when it is sent.
    ///   - timeout: The time for each notification, from when it is taken from the source to its answer; nil is the
    ///     configuration's `timeout`.
    public func send<Source: AsyncSequence & Sendable>(
        all source: Source, window: Int? = nil, timeout: Duration? = nil
    ) -> APNSSendResults where Source.Element == APNSNotification {
        let output = BulkOutput()
        let run = NIOLoopBoundBox.makeBoxSendingValue(
            BulkRun(
                loop: loop, output: output, window: max(1, window ?? configuration.bulkWindow),
                timeout: timeout ?? configuration.timeout, validates: configuration.validates), eventLoop: eventLoop)
        let sourceTask = Task(executorPreference: loopExecutor) {
            var failure: (any Error)?
            do {
                for try await notification in source {
                    let run = run.value
                    run.take(consume notification)
                    if !run.hasCapacity { await run.waitForCapacity() }
                    if run.isStopped { break }
                }
            } catch {
                failure = error
            }
            run.value.sourceEnded(failure)
        }
        eventLoop.execute { run.value.start(sourceTask) }
        return APNSSendResults(run: run, output: output, eventLoop: eventLoop, provider: self)
    }

    // MARK: Connections

    /// Starts nothing more on the connections that are open now. Notifications sent after it returns go over new ones, as
    /// `Reason.Retry.onNewConnection` asks for; in-flight requests end on the old ones.
    ///
    /// The provider does so itself after such a refusal, and after `ExpiredProviderToken` once it has another provider
    /// token, as long as it need not wait between attempts to connect. New connections are opened as
    /// `ProviderConfiguration.backOff` says, so calling this often makes notifications wait.
    public func replaceConnections() async {
        let loop = loop
        try? await eventLoop.submit { loop.value.replaceConnections() }.get()
    }

    // MARK: Ending

    /// Closes the provider. Later sends fail, queued notifications are unsent, and bulk sends are stopped. Returns when the
    /// in-flight requests have their outcomes, which takes no longer than their deadlines, and the connections are closed.
    public func close() async { await close(limit: nil) }

    /// The same, and waits no longer than `limit`. Notifications that were written and have no answer then are unknown. The
    /// results of bulk sends end then, even if a source ignores cancellation; what it gives later is not sent.
    public func close(within limit: Duration) async { await close(limit: limit) }

    private func close(limit: Duration?) async {
        let loop = loop
        try? await eventLoop.flatSubmit { loop.value.close(within: limit) }.get()
    }

    /// Returns when the provider is closed. If the task is cancelled, closes the provider as `close(within:)` does, with the
    /// configuration's `closeTimeout`.
    ///
    /// Calling it is not necessary for sending. It is the requirement of `Service` in swift-service-lifecycle, so that a
    /// group of services keeps the provider open and closes it.
    public func run() async {
        let (loop, limit) = (loop, configuration.closeTimeout)
        await withTaskCancellationHandler {
            try? await eventLoop.flatSubmit { loop.value.whenClosed() }.get()
        } onCancel: {
            eventLoop.execute { _ = loop.value.close(within: limit) }
        }
    }
}

extension APNSSendError {
    static let deadlineBeforeAdmission = APNSSendError(
        .deadlineExceeded, "the deadline passed while the maximum of other notifications was pending",
        isSafeToRetry: true)
    static let closedProvider = APNSSendError(
        .providerClosed, "the provider was closed before the notification was sent", isSafeToRetry: true)
    static let closedWithoutAnswer = APNSSendError(
        .providerClosed, "the provider was closed before the answer came; the notification may have been delivered",
        isSafeToRetry: false)

    static func queueFull(_ maximum: Int) -> APNSSendError {
        APNSSendError(
            .queueFull, "\(maximum) calls of send wait already, the maximum of the configuration; nothing was sent",
            isSafeToRetry: true)
    }
}

extension ProviderConfiguration {
    /// The default window of a bulk send.
    fileprivate var bulkWindow: Int { min(maximumPending, 1000 * max(1, connections) + BulkRun.margin) }
}
