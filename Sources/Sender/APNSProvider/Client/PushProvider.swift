public import APNSModel
import APNSPayload
import APNSTransport
public import Logging
public import NIOCore
import NIOPosix
import ProviderMetrics
import ProviderToken
import ProviderTracing
import Synchronization
import TLSSession

/// Sends notifications to APNs, or to a gateway simulator, over a few long-lived HTTP/2 connections.
///
/// Make one for each team and keep it: APNs treats many short connections as an attack. A provider uses one processor core,
/// or as many as `ProviderConfiguration.eventLoops` says. Dropping the last reference closes the provider, but not before
/// the results of its bulk sends are read.
public final class PushProvider: Sendable {
    private let configuration: ProviderConfiguration
    private let lanes: [ProviderLane]
    private let inbox: Inbox
    /// Counts the single notifications. Each has the event loop after that of the one before.
    private let lastID = Atomic<UInt64>(0)
    /// Counts the bulk sends and the calls of `executor`, for the same purpose.
    private let lastTurn = Atomic<Int>(-1)
    private let validator: Mutex<Validator>
    /// Nil without a tracer.
    let tracer: SendTracer?
    /// Nil without a metrics backend.
    private let meter: ProviderMeter?

    /// - Parameters:
    ///   - eventLoopGroup: Has the event loops that the provider uses; nil is the one that NIO shares in the process. It must be
    ///     of NIOPosix, and run until the provider is closed.
    ///   - logger: At level info it says what changes: connections, provider tokens, refused credentials.
    /// - Throws: `ProviderConfigurationError` when the gateway's or the proxy's host or port is impossible, the certificate, its
    ///   key or the authorities cannot be used, or the event loops have no sockets of NIOPosix.
    public init(
        _ configuration: ProviderConfiguration, eventLoopGroup: (any EventLoopGroup)? = nil,
        logger: Logger = Logger(label: "apns.provider")
    ) throws(ProviderConfigurationError) {
        self.configuration = configuration
        validator = Mutex(Validator(allowsNewPushTypes: configuration.allowsNewPushTypes))
        let eventLoops = ProviderLane.eventLoops(
            of: eventLoopGroup ?? MultiThreadedEventLoopGroup.singleton,
            atMost: max(1, min(configuration.eventLoops, configuration.connections)))
        guard eventLoops.allSatisfy({ TransportClient.canConnect(on: $0) }) else {
            throw ProviderConfigurationError(
                detail: "the event loops of \(type(of: eventLoops[0])) have no sockets of NIOPosix; "
                    + "give a MultiThreadedEventLoopGroup, or none")
        }
        let inbox = Inbox(
            limit: max(1, configuration.maximumPending), waitingLimit: max(0, configuration.maximumWaiting),
            loops: eventLoops.count)
        self.inbox = inbox
        let endpoint = TransportEndpoint(
            host: configuration.gateway.host, port: configuration.gateway.port,
            tls: try configuration.tlsContext(), proxy: try configuration.transportProxy(.current))
        let shared = ProviderLoop.Shared(
            endpoint: endpoint, tokens: configuration.tokenSource(), configuration: configuration, inbox: inbox,
            loops: eventLoops.count, logger: logger)
        meter = shared.meter
        tracer = SendTracer(
            configuration.tracing, host: configuration.gateway.host, port: configuration.gateway.port)
        lanes = ProviderLane.lanes(on: eventLoops, shared: shared)
    }

    deinit { for lane in lanes { lane.execute { _ = $0.close() } } }

    /// Runs tasks on an event loop of the provider. A task that mostly calls `send` needs less than half of the processor time
    /// there, because no notification changes threads. It must not block a thread or compute for long.
    ///
    /// With several event loops, each call returns the executor of the next one.
    ///
    /// ```swift
    /// Task(executorPreference: provider.executor) {
    ///     for try await order in orders { _ = try await provider.send(notification(for: order)) }
    /// }
    /// ```
    public var executor: any TaskExecutor { nextLane.executor }

    private var nextLane: ProviderLane {
        lanes.count == 1
            ? lanes[0] : lanes[(lastTurn.wrappingAdd(1, ordering: .relaxed).newValue & Int.max) % lanes.count]
    }

    /// The event loop whose thread this is.
    private var ownLane: Int? {
        if lanes.count == 1 { return lanes[0].eventLoop.inEventLoop ? 0 : nil }
        return lanes.firstIndex { $0.eventLoop.inEventLoop }
    }

    // MARK: Sending

    /// Sends one notification and waits for the gateway's answer, for at most the configuration's `timeout`.
    ///
    /// Everything else is as with `send(_:timeout:)`. It is a function of its own because without it Swift would choose the
    /// one that `PushSending` has for all senders, which is two more async functions for each call.
    public func send(_ notification: APNSNotification) async throws(APNSSendError) -> Reply {
        try await checkAndSubmit(notification, timeout: nil)
    }

    /// Sends one notification and waits for the gateway's answer.
    ///
    /// While `maximumPending` notifications have no outcome, further calls wait, at most `maximumWaiting` of them. The task can
    /// be cancelled at any time: the error says whether the notification may have been sent.
    ///
    /// - Parameter timeout: The time from now to the answer; nil is the configuration's `timeout`.
    /// - Returns: The gateway's answer, which may be a refusal.
    /// - Throws: `APNSSendError` when there is no answer. Its `isSafeToRetry` is true for unsent, false for unknown.
    public func send(_ notification: APNSNotification, timeout: Duration?) async throws(APNSSendError) -> Reply {
        try await checkAndSubmit(notification, timeout: timeout)
    }

    /// Always inlined, as `submit`.
    @inline(__always)
    private func checkAndSubmit(
        _ notification: APNSNotification, timeout: Duration?
    ) async throws(APNSSendError) -> Reply {
        // A span that lives across the suspension costs each call, so calls without a tracer have a function of their own.
        if let tracer { return try await send(notification, tracedBy: tracer, timeout: timeout) }
        if let error = refusal(of: notification) { throw error }
        return try await submit(prepared(notification, timeout: timeout)).reply()
    }

    private func send(
        _ notification: APNSNotification, tracedBy tracer: SendTracer, timeout: Duration?
    ) async throws(APNSSendError) -> Reply {
        let span = tracer.start(notification)
        if let error = refusal(of: notification) {
            span.end(.unsent(error))
            throw error
        }
        let outcome = await submit(prepared(notification, timeout: timeout))
        span.end(outcome)
        return try outcome.reply()
    }

    /// Sends one message to all devices that subscribe to a channel, and waits for the gateway's answer. Channels are created
    /// with `ChannelManager`. Everything else is as with a notification to one device.
    ///
    /// - Returns: The gateway's answer; its `apnsID` is the `apns-request-id`.
    public func send(_ broadcast: APNSBroadcast, timeout: Duration? = nil) async throws(APNSSendError) -> Reply {
        let span = tracer?.start(broadcast)
        if configuration.validates, let finding = firstError(for: broadcast) {
            let error = refused(finding)
            span?.end(.unsent(error))
            throw error
        }
        let outcome = await submit(
            ChannelExchange(.broadcast(broadcast)), apnsID: broadcast.id?.text ?? "", timeout: timeout)
        span?.end(outcome)
        return try outcome.reply()
    }

    func submit(_ exchange: ChannelExchange, apnsID: String, timeout: Duration?) async -> APNSOutcome {
        await submit(SingleSend(nil, exchange, apnsID: apnsID, self, timeout))
    }

    /// A request of one caller, before it is submitted.
    private struct SingleSend {
        let caller: Caller
        let submission: Submission
        let lane: Int

        init(
            _ notification: consuming APNSNotification?, _ channels: ChannelExchange?, apnsID: consuming String,
            _ provider: PushProvider, _ timeout: Duration?
        ) {
            let lanes = provider.lanes.count
            let own = provider.ownLane
            let caller = Caller(id: provider.lastID.add(1, ordering: .relaxed).newValue, loop: own)
            lane = own ?? (lanes == 1 ? 0 : Int(truncatingIfNeeded: caller.id % UInt64(lanes)))
            let now = MonotonicTime.now
            submission = Submission(
                id: caller.id, notification: notification, channels: channels, apnsID: apnsID,
                recipient: .single(caller), submitted: now, deadline: now + (timeout ?? provider.configuration.timeout))
            self.caller = caller
        }
    }

    // Never inlined: what a function uses before it suspends would be kept in the memory of its task, 2 KB for each call.

    @inline(never)
    private func prepared(_ notification: APNSNotification, timeout: Duration?) -> SingleSend {
        SingleSend(notification, nil, apnsID: notification.id?.text ?? "", self, timeout)
    }

    @inline(never)
    private func refusal(of notification: APNSNotification) -> APNSSendError? {
        guard configuration.validates, let finding = firstError(for: notification) else { return nil }
        return refused(finding)
    }

    /// Submits one request and waits for its outcome.
    ///
    /// Always inlined, because another async function costs each call a task allocation and a copy of the outcome.
    @inline(__always)
    private func submit(_ send: SingleSend) async -> APNSOutcome {
        await withTaskCancellationHandler {
            await withUnsafeContinuation { start(send, $0) }
        } onCancel: {
            cancel(send)
        }
    }

    @inline(never)
    private func start(_ send: SingleSend, _ continuation: UnsafeContinuation<APNSOutcome, Never>) {
        var posted = Inbox.Posted.queued
        let isSubmitted = send.caller.wait(continuation) {
            posted = inbox.submit(send.submission, to: send.lane)
            wakeLoop(after: posted)
        }
        if !isSubmitted { meter?.count(unsent: Caller.cancelledBeforeSubmission) }
        switch posted {
        case .wake, .queued: break
        case .closed:
            meter?.count(unsent: .closedProvider)
            send.caller.resolve(.unsent(.closedProvider))
        case .full:
            let error = APNSSendError.queueFull(configuration.maximumWaiting)
            meter?.count(unsent: error)
            send.caller.resolve(.unsent(error))
        }
    }

    private func cancel(_ send: SingleSend) {
        send.caller.cancel {
            let (wasWaiting, posted) = inbox.cancel(send.submission)
            if wasWaiting {
                meter?.count(unsent: Caller.cancelledBeforeSubmission)
                send.caller.resolve(.unsent(Caller.cancelledBeforeSubmission))
            }
            wakeLoop(after: posted)
        }
    }

    private func firstError(for broadcast: APNSBroadcast) -> Finding? {
        var validator = Validator()
        return validator.firstError(for: Envelope(broadcast))
    }

    /// The error for what the validator refuses. It is the outcome, so it is counted here, without an event loop.
    private func refused(_ finding: Finding) -> APNSSendError {
        let error = APNSSendError(finding)
        meter?.count(unsent: error)
        return error
    }

    private func firstError(for notification: APNSNotification) -> Finding? {
        // The validator keeps what it computed for the last payload. A call that finds it locked uses a new one instead
        // of waiting.
        if let found = validator.withLockIfAvailable({ $0.firstError(for: notification) }) { return found }
        var other = Validator(allowsNewPushTypes: configuration.allowsNewPushTypes)
        return other.firstError(for: notification)
    }

    private func wakeLoop(after posted: Inbox.Posted) {
        guard case .wake(let index) = posted else { return }
        lanes[index].execute { $0.emptyInbox() }
    }

    /// Sends every notification of `source`, and returns the results in the order in which they arrive.
    ///
    /// The source is read on an event loop of the provider, as fast as the gateway and the reader of the results allow: at
    /// most `window` notifications are between the two. The source must not block a thread. With several event loops, each
    /// writes a part of the notifications, so results do not come in the order of the source.
    ///
    /// - Parameters:
    ///   - window: Nil is 1,000 for each connection and 300 more for each event loop, at most `maximumPending`. A larger window
    ///     is slower: each notification waits longer, and has left the processor's caches when it is sent.
    ///   - timeout: The time for each notification, from when it is taken from the source to its answer; nil is the
    ///     configuration's `timeout`.
    public func send<Source: AsyncSequence & Sendable>(
        all source: Source, window: Int? = nil, timeout: Duration? = nil
    ) -> APNSSendResults where Source.Element == APNSNotification {
        send(window: window, timeout: timeout) { run in
            for try await notification in source {
                run.take(Submission(consume notification))
                if run.needsPause { await run.pause() }
                if run.isStopped { break }
            }
        }
    }

    /// The same for a source that gives its notifications in batches, which costs less for each of them.
    ///
    /// - Parameter next: Called on an event loop of the provider, which it must not block. Returns the next notifications, or
    ///   none at the end. After `stop()`, the last batch may be taken in part.
    package func send(
        batches next: @escaping @Sendable () async throws -> [APNSNotification], window: Int? = nil,
        timeout: Duration? = nil
    ) -> APNSSendResults {
        send(submissions: { try await next().map { Submission($0) } }, window: window, timeout: timeout)
    }

    /// The same for a caller that makes the submissions itself, so that no notification is copied on its way.
    ///
    /// - Parameter next: Called on an event loop of the provider, which it must not block. Returns the next ones, or none at the end.
    ///   None of them was given to a provider before. After `stop()`, the last batch may be taken in part.
    package func send(
        submissions next: @escaping @Sendable () async throws -> [Submission], window: Int? = nil,
        timeout: Duration? = nil
    ) -> APNSSendResults {
        send(window: window, timeout: timeout) { run in
            while true {
                let batch = try await next()
                guard !batch.isEmpty else { return }
                for submission in batch {
                    run.take(submission)
                    if run.needsPause { await run.pause() }
                    if run.isStopped { return }
                }
            }
        }
    }

    /// - Parameter read: Passes the notifications of a source to the run, on the event loop where it runs.
    private func send(
        window: Int?, timeout: Duration?, read: @escaping @Sendable (BulkRun) async throws -> Void
    ) -> APNSSendResults {
        let output = BulkOutput(trace: tracer.map { BulkTrace($0.startAll()) })
        let home = ownLane.map { lanes[$0] } ?? nextLane
        let run = BulkRun(
            lanes: lanes, home: home.index, output: output,
            window: max(1, window ?? configuration.bulkWindow(eventLoops: lanes.count)),
            timeout: timeout ?? configuration.timeout, validates: configuration.validates,
            allowsNewPushTypes: configuration.allowsNewPushTypes)
        let sourceTask = Task(executorPreference: home.executor) {
            var failure: (any Error)?
            do {
                try await read(run)
            } catch {
                failure = error
            }
            run.sourceEnded(failure)
        }
        home.execute { _ in run.start(sourceTask) }
        return APNSSendResults(run: run, output: output, lane: home, provider: self)
    }

    // MARK: Connections

    /// Starts nothing more on the connections that are open now. Notifications sent after it returns go over new ones, as
    /// `Reason.Retry.onNewConnection` asks for; in-flight requests end on the old ones.
    ///
    /// The provider does so itself after such a refusal, and after `ExpiredProviderToken` once it has another provider
    /// token, as long as it need not wait between attempts to connect. New connections are opened as
    /// `ProviderConfiguration.backOff` says, so calling this often makes notifications wait.
    public func replaceConnections() async {
        await all { loop in
            loop.replaceConnections()
            return loop.eventLoop.makeSucceededVoidFuture()
        }
    }

    // MARK: Ending

    /// Ends what waits to be written and is in no bulk send, as unsent. In-flight requests go on.
    package func stopWaiting() { for lane in lanes { lane.execute { $0.stopWaiting() } } }

    /// Closes the provider. Later sends fail, queued notifications are unsent, and bulk sends are stopped. Returns when the
    /// in-flight requests have their outcomes, which takes no longer than their deadlines, and the connections are closed. The
    /// results of the bulk sends that have begun before end then, even if a source ignores cancellation; what it gives later is
    /// not sent.
    public func close() async { await close(limit: nil) }

    /// The same, with a limit. Until `limit` it also waits for the sources of bulk sends to end. Notifications that were written
    /// and have no answer at the limit are unknown.
    public func close(within limit: Duration) async { await close(limit: limit) }

    private func close(limit: Duration?) async {
        await all { $0.close(within: limit) }
        for lane in lanes { lane.close() }
    }

    /// Starts something on each event loop, and returns when all are done.
    private func all(_ body: @escaping @Sendable (ProviderLoop) -> EventLoopFuture<Void>) async {
        let done = lanes.filter { !$0.isClosed }.map { lane in lane.eventLoop.flatSubmit { body(lane.loop.value) } }
        for future in done { try? await future.get() }
    }

    /// Returns when the provider is closed. If the task is cancelled, closes the provider as `close(within:)` does, with the
    /// configuration's `closeTimeout`.
    ///
    /// Calling it is not necessary for sending. It is the requirement of `Service` in swift-service-lifecycle, so that a
    /// group of services keeps the provider open and closes it. It ends by cancellation only: graceful shutdown of the group
    /// does not cancel it. For that, run it in a service of your own that calls `close(within:)` then, as `PushService` in
    /// docs/sending.md does.
    public func run() async {
        let (lanes, limit) = (lanes, configuration.closeTimeout)
        await withTaskCancellationHandler {
            await all { $0.whenClosed() }
        } onCancel: {
            for lane in lanes { lane.execute { _ = $0.close(within: limit) } }
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
    fileprivate func bulkWindow(eventLoops: Int) -> Int {
        min(maximumPending, 1000 * max(1, connections) + BulkRun.margin * eventLoops)
    }
}
