public import APNSModel
import APNSPayload
import APNSTransport
public import Logging
import NIOCore
import NIOPosix
import ProviderToken
import Synchronization
import TLSSession

/// Sends notifications to APNs, or to a gateway simulator, over a few lasting HTTP/2 connections.
///
/// Make one for each team and keep it: APNs takes many short connections for an attack. All of a provider's connections
/// live on one event loop, which is enough to fill a processor core; a second core takes a second provider.
public final class PushProvider: Sendable {
    private let configuration: ProviderConfiguration
    private let eventLoop: any EventLoop
    private let inbox: Inbox
    private let loop: NIOLoopBoundBox<ProviderLoop>
    private let loopExecutor: EventLoopExecutor
    private let lastID = Atomic<UInt64>(0)
    private let validator = Mutex(Validator())

    /// - Throws: `ProviderConfigurationError` when the certificate, its key or the authorities cannot be used.
    public init(
        _ configuration: ProviderConfiguration, logger: Logger = Logger(label: "apns.provider")
    ) throws(ProviderConfigurationError) {
        self.configuration = configuration
        let eventLoop = MultiThreadedEventLoopGroup.singleton.next()
        let inbox = Inbox(limit: max(1, configuration.maximumPending))
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

    /// A provider that nobody has any more ends as with `close()`; results that are still read keep it.
    deinit { eventLoop.execute { [loop] in _ = loop.value.close() } }

    /// Runs tasks on the provider's event loop. A task that does little else than `send` costs less than half as much
    /// there, because no notification changes threads; it must not block or compute for long.
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
    /// The caller waits as well while `maximumPending` others are under way. Cancelling the task is safe at every point:
    /// the error says whether the notification may have been sent.
    ///
    /// - Parameter timeout: From now to the answer; nil stands for the configuration's.
    /// - Returns: What the gateway answered; a refusal is an answer, not an error.
    /// - Throws: `APNSSendError` where there is no answer. `isSafeToRetry` tells unsent from unknown.
    public func send(
        _ notification: APNSNotification, timeout: Duration? = nil
    ) async throws(APNSSendError) -> Reply {
        if configuration.validates, let finding = firstError(for: notification) { throw APNSSendError(finding) }
        let caller = Caller(id: lastID.add(1, ordering: .relaxed).newValue, isOnLoop: eventLoop.inEventLoop)
        let now = MonotonicTime.now
        let submission = Submission(
            id: caller.id, notification: notification, ticket: .single(caller), submitted: now,
            deadline: now + (timeout ?? configuration.timeout))
        let outcome = await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                var isClosed = false
                caller.wait(continuation) { isClosed = post(inbox.submit(.submit(caller, submission))) }
                if isClosed { caller.resolve(.unsent(.closedProvider)) }
            }
        } onCancel: {
            caller.cancel {
                let (waited, posted) = inbox.cancel(caller.id)
                waited?.resolve(.unsent(Caller.cancelledBeforeSubmission))
                _ = post(posted)
            }
        }
        return try outcome.reply()
    }

    private func firstError(for notification: APNSNotification) -> Finding? {
        // One validator remembers what it checked last; a caller that finds it busy takes another.
        if let found = validator.withLockIfAvailable({ $0.firstError(for: notification) }) { return found }
        var other = Validator()
        return other.firstError(for: notification)
    }

    /// - Returns: Whether the provider is closed.
    private func post(_ posted: Inbox.Posted) -> Bool {
        switch posted {
        case .wake: eventLoop.execute { self.loop.value.emptyInbox() }
        case .queued: break
        case .closed: return true
        }
        return false
    }

    /// Sends everything that `source` gives, and gives the results as they come.
    ///
    /// The source is read on the provider's event loop, as fast as the gateway and the reader of the results allow: at
    /// most `window` notifications are between the two. A source must not block a thread.
    ///
    /// - Parameters:
    ///   - window: Nil stands for what the connections can have under way at 1,000 streams each, and 300 more, but at most
    ///     `maximumPending`. A larger one makes each notification wait longer in memory that is cold by then.
    ///   - timeout: For each notification, from the moment it is taken from the source; nil stands for the
    ///     configuration's.
    public func send<Source: AsyncSequence & Sendable>(
        all source: Source, window: Int? = nil, timeout: Duration? = nil
    ) -> APNSSendResults where Source.Element == APNSNotification {
        let output = BulkOutput()
        let run = NIOLoopBoundBox.makeBoxSendingValue(
            BulkRun(
                loop: loop, output: output, window: max(1, window ?? configuration.bulkWindow),
                timeout: timeout ?? configuration.timeout, validates: configuration.validates), eventLoop: eventLoop)
        let pump = Task(executorPreference: loopExecutor) {
            var failure: (any Error)?
            do {
                for try await notification in source {
                    let run = run.value
                    run.take(consume notification)
                    if !run.hasRoom { await run.waitForRoom() }
                    if run.isStopped { break }
                }
            } catch {
                failure = error
            }
            run.value.sourceEnded(failure)
        }
        eventLoop.execute { run.value.pump = pump }
        return APNSSendResults(run: run, output: output, eventLoop: eventLoop, provider: self)
    }

    /// Ends in order: nothing more is let in, what waits is given back as unsent, and what was written is waited for, at
    /// most until its deadline.
    public func close() async {
        let loop = loop
        try? await eventLoop.flatSubmit { loop.value.close() }.get()
    }
}

extension APNSSendError {
    static let noRoomInTime = APNSSendError(
        .deadlineExceeded, "its time was over while it waited for others to end", isSafeToRetry: true)
    static let closedProvider = APNSSendError(
        .providerClosed, "the provider was closed before it was sent", isSafeToRetry: true)
}

extension ProviderConfiguration {
    /// How many notifications of a bulk send are between the source and the reader of the results.
    fileprivate var bulkWindow: Int { min(maximumPending, 1000 * max(1, connections) + BulkRun.margin) }
}
