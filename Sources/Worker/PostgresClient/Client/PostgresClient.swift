internal import APNSModel
internal import CPostgres
internal import EngineSupport
internal import Dispatch

/// A client of one server, over one connection that is made when it is needed and made again after it is lost.
///
/// Requests go out at once, also while others wait for their results (libpq's pipeline mode), and each is one transaction. A
/// request fails when its connection is lost, because the server may have run it; the client never repeats one.
///
/// libpq owns its socket, which no event loop of NIO can watch. So the client runs on a queue of Dispatch, whose event sources
/// can; no thread waits for the server.
package actor PostgresClient {
    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let executor = QueueExecutor(label: "apns.postgres")
    private let configuration: PostgresConfiguration
    private let random: @Sendable () -> Double

    private enum State {
        case idle, connecting
        case open(PostgresConnection)
        case closed
    }

    private var state = State.idle
    /// The connection that was made last: the open one, or the one that still logs in.
    private var latest: PostgresConnection?
    private var lastError: PostgresError?
    private var backOff: BackOff
    private var connected = MonotonicTime.zero
    private var waiters: [CheckedContinuation<Void, Never>] = []
    private var timerTime: MonotonicTime?

    /// Channels that were notified since `waitForNotification` last returned.
    private var notified: Set<String> = []
    private var listeners: [Int: CheckedContinuation<Void, Never>] = [:]
    private var listenerCount = 0

    /// How many connections there were.
    package private(set) var connectionCount = 0
    /// Such as 150018; 0 before the first connection.
    package private(set) var serverVersion = 0

    /// - Parameter random: From 0 up to 1, for the wait before the next attempt.
    package init(
        _ configuration: PostgresConfiguration, random: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
    ) {
        self.configuration = configuration
        self.random = random
        backOff = BackOff(first: configuration.firstBackOff, longest: configuration.longestBackOff)
    }

    private var now: MonotonicTime {
        MonotonicTime(nanoseconds: Int64(DispatchTime.now().uptimeNanoseconds))
    }

    // MARK: Requests

    /// Runs statements as one transaction, and returns the rows of each.
    package func run(
        _ statements: [PostgresStatement], timeout: Duration? = nil
    ) async throws(PostgresError) -> [PostgresRows] {
        let deadline = now + (timeout ?? configuration.requestTimeout)
        let connection = try await openConnection(deadline)
        return try await request(statements, on: connection, deadline: deadline)
    }

    package func run(
        _ statement: PostgresStatement, timeout: Duration? = nil
    ) async throws(PostgresError) -> PostgresRows {
        try await run([statement], timeout: timeout)[0]
    }

    private func request(
        _ statements: [PostgresStatement], on connection: PostgresConnection, deadline: MonotonicTime
    ) async throws(PostgresError) -> [PostgresRows] {
        let answer = await withCheckedContinuation { continuation in
            connection.send(statements, deadline: deadline) { continuation.resume(returning: $0) }
            setTimer(deadline)
        }
        return try answer.get()
    }

    /// One timer, for the request that is overdue first. Most requests are answered long before.
    private func setTimer(_ deadline: MonotonicTime) {
        if let timerTime, timerTime <= deadline { return }
        timerTime = deadline
        at(deadline) { $0.checkDeadline(deadline) }
    }

    private func checkDeadline(_ time: MonotonicTime) {
        guard timerTime == time else { return }
        timerTime = nil
        // Also the one that still logs in: its server may take the log-in and answer nothing.
        guard let connection = latest, let deadline = connection.deadline else { return }
        guard deadline <= now else { return setTimer(deadline) }
        connection.fail(PostgresError(.timedOut, "\(configuration.place) does not answer in time"))
    }

    private func at(_ time: MonotonicTime, _ action: @escaping @Sendable (isolated PostgresClient) -> Void) {
        let deadline = DispatchTime(uptimeNanoseconds: UInt64(max(time.nanoseconds, 0)))
        executor.queue.asyncAfter(deadline: deadline) { [weak self] in self?.assumeIsolated { action($0) } }
    }

    /// Waits until one of the configured channels is notified; returns at once where that happened since the last call.
    ///
    /// It also returns when the time is over, when the task was cancelled before, and when the connection is lost, with no
    /// channels.
    package func waitForNotification(timeout: Duration) async -> Set<String> {
        // The caller's cancellation handler calls `endWaits`, which ends nothing if it runs before this wait is registered.
        if notified.isEmpty, !Task.isCancelled, case .open = state {
            let number = listenerCount
            listenerCount += 1
            at(now + timeout) { $0.listeners.removeValue(forKey: number)?.resume() }
            await withCheckedContinuation { listeners[number] = $0 }
        }
        defer { notified = [] }
        return notified
    }

    /// Ends all waits for a notification.
    package func endWaits() { wakeListeners() }

    private func wakeListeners() {
        let woken = listeners.values
        listeners = [:]
        for listener in woken { listener.resume() }
    }

    /// Closes the connection; requests that wait, and later ones, get an error.
    package func close() {
        let former = state
        state = .closed
        if case .open(let connection) = former {
            connection.fail(PostgresError(.closed, "the client of the queue is closed"))
        }
        latest = nil
        wakeWaiters()
        wakeListeners()
    }

    // MARK: Connecting

    private func openConnection(_ deadline: MonotonicTime) async throws(PostgresError) -> PostgresConnection {
        while true {
            switch state {
            case .open(let connection) where connection.isOpen: return connection
            case .closed: throw PostgresError(.closed, "the client of the queue is closed")
            case .connecting:
                guard waiters.count < configuration.maximumRequests else {
                    throw PostgresError(.tooManyRequests, "\(waiters.count) requests wait for a connection")
                }
                await withCheckedContinuation { waiters.append($0) }
                // The attempt has ended. Those who waited for it share its error.
                if case .idle = state, let lastError { throw lastError }
            case .idle, .open:
                guard backOff.earliest <= deadline else { throw lastError! }
                state = .connecting
                if backOff.earliest > now { await sleep(until: backOff.earliest) }
                await connect()
                if case .idle = state, let lastError { throw lastError }
            }
        }
    }

    private func sleep(until time: MonotonicTime) async {
        await withCheckedContinuation { continuation in at(time) { _ in continuation.resume() } }
    }

    private func connect() async {
        do throws(PostgresError) {
            let connection = try await makeConnection()
            guard case .connecting = state else {
                return connection.fail(PostgresError(.closed, "the client is closed"))
            }
            connection.onClose = { [weak self] error in self?.assumeIsolated { $0.lost(error) } }
            connectionCount += 1
            connected = now
            lastError = nil
            state = .open(connection)
        } catch {
            lastError = error
            backOff.failed(at: now, random: random())
            if case .connecting = state { state = .idle }
        }
        wakeWaiters()
    }

    private func lost(_ error: PostgresError) {
        guard case .open = state else { return }
        // A server that lets clients log in and then drops them must not be asked in a loop.
        if now - connected > configuration.longestBackOff { backOff.succeeded() }
        backOff.failed(at: now, random: random())
        lastError = error
        latest = nil
        state = .idle
        wakeListeners()
    }

    private func wakeWaiters() {
        let woken = waiters
        waiters = []
        for waiter in woken { waiter.resume() }
    }

    private func makeConnection() async throws(PostgresError) -> PostgresConnection {
        let deadline = now + configuration.connectTimeout
        let handshake = PostgresHandshake(configuration, queue: executor.queue)
        at(deadline) { [place = configuration.place] _ in
            handshake.end(PostgresError(.connectFailed, "cannot connect to \(place): no answer in time"))
        }
        let result = await withCheckedContinuation { continuation in
            handshake.start { continuation.resume(returning: $0) }
        }
        try result.get()
        let connection = try makeConnection(handshake)
        do throws(PostgresError) {
            let setup = PostgresStatement(
                """
                SELECT set_config('statement_timeout', $1, false), set_config('lock_timeout', $2, false), \
                current_setting('server_version_num')
                """, [milliseconds(8), milliseconds(4)])
            let listens = configuration.channels.map { PostgresStatement("LISTEN \"\($0)\"") }
            let rows = try await request([setup] + listens, on: connection, deadline: deadline)
            serverVersion = Int(rows[0].number(0, 2) ?? 0)
            guard serverVersion >= 120_000 else {
                throw PostgresError(
                    .oldServer, "the server is PostgreSQL \(serverVersion / 10_000); 12 is the oldest that works")
            }
            return connection
        } catch {
            connection.fail(error)
            latest = nil
            throw error
        }
    }

    /// Tenths of the time for a request, so that the server gives up before the client does.
    private func milliseconds(_ tenths: Int64) -> String {
        String(max(configuration.requestTimeout.wholeNanoseconds / 10_000_000 * tenths, 1))
    }

    private func makeConnection(_ handshake: PostgresHandshake) throws(PostgresError) -> PostgresConnection {
        guard let handle = handshake.takeHandle() else {
            throw PostgresError(.connectFailed, "cannot connect to \(configuration.place): no answer in time")
        }
        let queue = executor.queue
        let connection = PostgresConnection(handle, configuration) { [weak self] descriptor, event in
            SocketWatch(descriptor, event, on: queue) { [weak self] in
                self?.assumeIsolated { $0.latest?.socketIsReady(event) }
            }
        }
        connection.onNotification = { [weak self] channel in
            self?.assumeIsolated {
                $0.notified.insert(channel)
                $0.wakeListeners()
            }
        }
        latest = connection
        connection.start()
        return connection
    }
}
