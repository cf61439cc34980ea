internal import APNSModel
internal import APNSTransport
internal import EngineSupport
internal import NIOCore
internal import NIOPosix
internal import TLSSession

/// A client of one server, over one connection that is made when it is needed and made again after it is lost.
///
/// It runs on one event loop. Requests go out at once, also while others wait for their replies. A request fails when its
/// connection is lost, because the server may have run it; the client never repeats one.
package actor RedisClient {
    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let executor: any SerialExecutor
    private let eventLoop: any EventLoop
    private let configuration: RedisConfiguration
    private let tls: TLSContext?
    private let random: @Sendable () -> Double

    private enum State {
        case idle, connecting
        case open(RedisConnection)
        case closed
    }

    private var state = State.idle
    private var lastError: RedisError?
    private var backOff: BackOff
    private var waiters: [CheckedContinuation<Void, Never>] = []
    private var hashes: [RedisScript: String] = [:]
    private var connected = MonotonicTime.zero

    /// How many connections there were: a request that runs on another connection than the one before sees a new number.
    package private(set) var connectionCount = 0

    /// - Parameter random: From 0 up to 1, for the wait before the next attempt.
    package init(
        _ configuration: RedisConfiguration, random: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
    ) throws(RedisError) {
        eventLoop = MultiThreadedEventLoopGroup.singleton.next()
        executor = eventLoop.executor
        self.configuration = configuration
        self.random = random
        backOff = BackOff(first: configuration.firstBackOff, longest: configuration.longestBackOff)
        guard configuration.isEncrypted else {
            tls = nil
            return
        }
        do {
            tls = try TLSContext.client(
                trust: configuration.authorities.map { .certificates(pem: $0) } ?? .system, identity: nil, alpn: [])
        } catch {
            // Only the authorities can be at fault.
            throw RedisError(.unusableFile, "TLS cannot be set up: \(error)")
        }
    }

    // MARK: Requests

    /// Sends commands together and returns their replies, in the same order. A refused command is `.failure` among them.
    ///
    /// - Parameter timeout: Nil is that of the configuration. A command that blocks needs a longer one.
    package func send(
        _ commands: [RedisCommand], timeout: Duration? = nil
    ) async throws(RedisError) -> [RedisValue] {
        let deadline = MonotonicTime.now + (timeout ?? configuration.requestTimeout)
        let connection = try await openConnection(deadline)
        return try await request(commands, on: connection, deadline: deadline)
    }

    /// Sends one command. Its refusal is thrown.
    package func send(_ command: RedisCommand, timeout: Duration? = nil) async throws(RedisError) -> RedisValue {
        try await send([command], timeout: timeout)[0].get()
    }

    /// Runs a script, which the server keeps by its hash.
    package func run(
        _ script: RedisScript, keys: [String], _ arguments: RedisArguments, timeout: Duration? = nil
    ) async throws(RedisError) -> RedisValue {
        try await run(script, keys: keys, arguments, followedBy: [], timeout: timeout)[0]
    }

    /// Runs a script, and `commands` behind it on its connection.
    ///
    /// - Returns: The reply to the script, whose refusal is thrown, and those to the commands.
    package func run(
        _ script: RedisScript, keys: [String], _ arguments: RedisArguments, followedBy commands: [RedisCommand],
        timeout: Duration? = nil
    ) async throws(RedisError) -> [RedisValue] {
        for isLast in [false, true] {
            let hash = try await hash(of: script)
            var command = RedisCommand("EVALSHA", hash)
            command.append(keys.count)
            for key in keys { command.append(key) }
            command.append(arguments)
            do throws(RedisError) {
                let replies = try await send([command] + commands, timeout: timeout)
                _ = try replies[0].get()
                return replies
            } catch {
                // The server was restarted, or somebody flushed its scripts. It has run nothing.
                guard error.code == .noScript, !isLast else { throw error.naming(script) }
                hashes[script] = nil
            }
        }
        preconditionFailure("the last attempt returns or throws")
    }

    private func hash(of script: RedisScript) async throws(RedisError) -> String {
        if let hash = hashes[script] { return hash }
        let reply = try await send(RedisCommand("SCRIPT", "LOAD", script.source))
        guard let hash = reply.string else {
            throw RedisError(.protocolViolation, "SCRIPT LOAD was answered without a hash")
        }
        hashes[script] = hash
        return hash
    }

    private func request(
        _ commands: [RedisCommand], on connection: RedisConnection, deadline: MonotonicTime
    ) async throws(RedisError) -> [RedisValue] {
        let answer = await withCheckedContinuation { continuation in
            connection.send(commands, deadline: deadline) { continuation.resume(returning: $0) }
        }
        return try answer.get()
    }

    /// Closes the connection; requests that wait, and later ones, get an error.
    package func close() {
        let former = state
        state = .closed
        if case .open(let connection) = former {
            connection.fail(RedisError(.closed, "the client of the queue is closed"))
        }
        wakeWaiters()
    }

    // MARK: Connecting

    private func openConnection(_ deadline: MonotonicTime) async throws(RedisError) -> RedisConnection {
        while true {
            switch state {
            case .open(let connection) where connection.isOpen: return connection
            case .closed: throw RedisError(.closed, "the client of the queue is closed")
            case .connecting:
                guard waiters.count < configuration.maximumRequests else {
                    throw RedisError(.tooManyRequests, "\(waiters.count) requests wait for a connection")
                }
                await withCheckedContinuation { waiters.append($0) }
                // The attempt has ended. Those who waited for it share its error.
                if case .idle = state, let lastError { throw lastError }
            case .idle, .open:
                guard backOff.earliest <= deadline else { throw lastError! }
                state = .connecting
                await waitForBackOff()
                await connect()
                if case .idle = state, let lastError { throw lastError }
            }
        }
    }

    private func waitForBackOff() async {
        let wait = backOff.earliest - MonotonicTime.now
        guard wait > .zero else { return }
        try? await eventLoop.scheduleTask(in: .nanoseconds(wait.wholeNanoseconds)) {}.futureResult.get()
    }

    private func connect() async {
        do throws(RedisError) {
            let connection = try await makeConnection()
            guard case .connecting = state else { return connection.fail(RedisError(.closed, "the client is closed")) }
            connection.onClose = { [weak self] error in self?.assumeIsolated { $0.lost(error) } }
            connectionCount += 1
            connected = MonotonicTime.now
            hashes = [:]
            lastError = nil
            state = .open(connection)
        } catch {
            lastError = error
            backOff.failed(at: MonotonicTime.now, random: random())
            if case .connecting = state { state = .idle }
        }
        wakeWaiters()
    }

    private func lost(_ error: RedisError) {
        guard case .open = state else { return }
        // A server that lets clients log in and then drops them must not be asked in a loop.
        if MonotonicTime.now - connected > configuration.longestBackOff { backOff.succeeded() }
        backOff.failed(at: MonotonicTime.now, random: random())
        lastError = error
        state = .idle
    }

    private func wakeWaiters() {
        let woken = waiters
        waiters = []
        for waiter in woken { waiter.resume() }
    }

    private func makeConnection() async throws(RedisError) -> RedisConnection {
        guard let sentinels = configuration.sentinels else {
            let connection = try await open(configuration.addresses[0])
            try await logIn(connection, user: configuration.user, password: configuration.password)
            return connection
        }
        let address = try await masterAddress(sentinels)
        let connection = try await open(address)
        try await logIn(connection, user: configuration.user, password: configuration.password)
        let role = try await handshake([RedisCommand("ROLE")], on: connection)[0]
        guard role.array?.first?.string == "master" else {
            let error = RedisError(.noMaster, "the sentinels name \(address) as master, which it is not yet")
            connection.fail(error)
            throw error
        }
        return connection
    }

    /// Asks the sentinels in turn.
    private func masterAddress(_ sentinels: RedisConfiguration.Sentinels) async throws(RedisError) -> RedisAddress {
        var last = RedisError(.noMaster, "no sentinel is configured")
        for address in configuration.addresses {
            do throws(RedisError) {
                let connection = try await open(address)
                defer { connection.fail(RedisError(.closed, "the sentinel has answered")) }
                let question = RedisCommand("SENTINEL", "get-master-addr-by-name", sentinels.masterName)
                let login = RedisClient.login(user: sentinels.user, password: sentinels.password)
                let replies = try await handshake(login + [question], on: connection)
                if let parts = replies.last?.array, parts.count == 2, let host = parts[0].string,
                    let port = parts[1].string.flatMap({ NetworkAddress.port($0) }), NetworkAddress.isHost(host)
                {
                    return RedisAddress(host: host, port: port)
                }
                last = RedisError(
                    .noMaster, "the sentinel \(address) knows no master \(ShownText.quoted(sentinels.masterName))")
            } catch {
                let detail =
                    error.code == .unknownCommand
                    ? "\(address) is no sentinel; leave sentinel= out of the URL, or name one" : "sentinel: \(error)"
                last = RedisError(error.code, detail)
            }
        }
        throw last
    }

    private static func login(user: String?, password: String?) -> [RedisCommand] {
        guard let password else { return [] }
        var command = RedisCommand("AUTH")
        if let user { command.append(user) }
        command.append(password)
        return [command]
    }

    private func logIn(_ connection: RedisConnection, user: String?, password: String?) async throws(RedisError) {
        var commands = RedisClient.login(user: user, password: password)
        if configuration.database != 0 { commands.append(RedisCommand("SELECT", "\(configuration.database)")) }
        commands.append(RedisCommand("PING"))
        _ = try await handshake(commands, on: connection)
    }

    /// Sends commands of which none may be refused.
    private func handshake(
        _ commands: [RedisCommand], on connection: RedisConnection
    ) async throws(RedisError) -> [RedisValue] {
        do throws(RedisError) {
            let deadline = MonotonicTime.now + configuration.connectTimeout
            let replies = try await request(commands, on: connection, deadline: deadline)
            for reply in replies { _ = try reply.get() }
            return replies
        } catch {
            connection.fail(error)
            throw error
        }
    }

    private func open(_ address: RedisAddress) async throws(RedisError) -> RedisConnection {
        let timeout = TimeAmount.nanoseconds(configuration.connectTimeout.wholeNanoseconds)
        let configuration = configuration
        let tls = tls
        do {
            // The handler is looked up in the turn of the connect: TLS may fail, and remove it, in the next one.
            let connection = try await ClientBootstrap(group: eventLoop)
                .connectTimeout(timeout)
                .channelOption(.tcpOption(.tcp_nodelay), value: 1)
                .channelOption(.socketOption(.so_keepalive), value: 1)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try RedisClient.addHandlers(to: channel, configuration, tls, address)
                    }
                }
                .connect(host: address.host, port: address.port)
                .flatMapThrowing { channel in
                    let connection = try channel.pipeline.syncOperations.handler(type: RedisConnection.self)
                    return NIOLoopBound(connection, eventLoop: channel.eventLoop)
                }
                .get().value
            let timer = limitHandshake(of: connection, to: address, timeout)
            defer { timer.cancel() }
            do {
                try await connection.ready.get()
            } catch {
                // The end of the time closes the connection, which TLS takes for an end by the server.
                throw connection.lastError ?? error
            }
            return connection
        } catch {
            throw RedisError(connection: error, to: address)
        }
    }

    private func limitHandshake(
        of connection: RedisConnection, to address: RedisAddress, _ timeout: TimeAmount
    ) -> Scheduled<Void> {
        eventLoop.assumeIsolated().scheduleTask(in: timeout) {
            connection.fail(
                RedisError(
                    .timedOut,
                    "\(address) did not end the TLS handshake in time; if nothing speaks TLS there, the URL begins with "
                        + "redis://"
                ))
        }
    }

    /// Each address of a host gets a channel of its own, of which the first that connects stays.
    private static func addHandlers(
        to channel: any Channel, _ configuration: RedisConfiguration, _ tls: TLSContext?, _ address: RedisAddress
    ) throws {
        let pipeline = channel.pipeline.syncOperations
        guard let tls else {
            let ready = channel.eventLoop.makeSucceededVoidFuture()
            return try pipeline.addHandler(RedisConnection(configuration, address: address, ready: ready))
        }
        let session = try TLSSession(client: tls, serverName: address.host)
        let ready = channel.eventLoop.makePromise(of: Void.self)
        try pipeline.addHandler(TLSHandler(session, ready: ready))
        try pipeline.addHandler(RedisConnection(configuration, address: address, ready: ready.futureResult))
    }
}
