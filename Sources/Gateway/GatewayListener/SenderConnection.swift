import APNSModel
import APNSTransport
import GatewayCore
import GatewayRuntime
import HTTP2Session
import NIOCore

/// One sender's connection: collects requests, has them judged, and writes the answers. It belongs to its event loop.
///
/// `SenderConnectionState` decides; this class does what it says on the socket.
final class SenderConnection: ConnectionDelegate {
    /// A request on its way in.
    struct Incoming {
        var stream: HTTP2Stream
        var began: MonotonicTime
        var request: CompleteRequest
    }

    /// What the listener learns of a connection's life.
    enum Step {
        /// The first bytes have come.
        case began
        /// The handshake is done.
        case opened
        /// Its certificate is refused with this GOAWAY.
        case refused(GoAway)
        /// The first request is complete.
        case used
        /// The connection is closed.
        case ended
    }

    /// A stream whose request is complete, or too long to be taken in whole.
    typealias CompleteStream = (stream: HTTP2Stream, isIncomplete: Bool)

    private let report: (SenderConnection, Step) -> Void
    /// The listener's number for it.
    var id: ConnectionTable.ID = 0
    private let worlds: Worlds
    /// The world that the connection belongs to.
    private(set) var world: LiveWorld
    private let role: GatewayConnection.Role
    private let channel: any Channel
    var eventLoop: any EventLoop { channel.eventLoop }
    private let requestTimeout: Duration
    /// What its requests are judged by.
    var gateway: GatewayConnection
    // Each request reads or changes these five. Checking them for exclusive access each time took a hundredth of the CPU.
    @exclusivity(unchecked)
    var state: SenderConnectionState
    @exclusivity(unchecked)
    var knownValues = KnownValues()
    /// By slot of the stream.
    @exclusivity(unchecked)
    var incoming: [Incoming?] = []
    /// The requests of the batch that can be judged. Empty between two batches.
    @exclusivity(unchecked)
    var complete: [CompleteRequest] = []
    @exclusivity(unchecked)
    var streams: [CompleteStream] = []
    /// Those of its event loop, from its start on.
    private(set) var requestPool: RequestPool?
    /// Batches that are judged and not stored yet, oldest first.
    var unstored: [UnstoredBatch] = []
    var lastBatch = 0
    private(set) var connection: Connection<SenderConnection>?
    private(set) var graceTimer: Scheduled<Void>?
    /// What fault rules have put off.
    var waiting = DeferredEffects()
    var waitingTimer: (due: Int64, task: Scheduled<Void>)?
    /// The streams that a fault rule leaves without an answer.
    var silent: Set<Int32> = []
    var idleTime = IdleTime()

    /// - Parameters:
    ///   - world: The world of the port; nil where senders choose.
    ///   - requestTimeout: From the head of a request to its end.
    init(
        _ worlds: Worlds, _ world: LiveWorld?, _ role: GatewayConnection.Role, _ channel: any Channel,
        requestTimeout: Duration, report: @escaping (SenderConnection, Step) -> Void
    ) {
        self.worlds = worlds
        self.role = role
        self.world = world ?? worlds.standard
        self.channel = channel
        self.requestTimeout = requestTimeout
        self.report = report
        state = SenderConnectionState(port: world?.name, standard: worlds.standard.name)
        gateway = GatewayConnection(environment: self.world.environment, role: role)
    }

    /// What a server of this kind lets its clients do.
    static let limits: HTTP2Limits = {
        var limits = HTTP2Limits.server
        limits.headerListBytes = RequestHead.maximumListBytes
        limits.storedBodyBytes = World.maximumBodyBytes
        return limits
    }()

    // MARK: Start

    func connectionStarted(_ connection: Connection<SenderConnection>) {
        self.connection = connection
        requestPool = .ofThisThread
        report(self, .began)
        guard case .askFaultRules = state.started(), let due = world.connects() else { return }
        state.hold(until: due)
        connection.holdHandshake()
        setWaitingTimer(connection)
    }

    func connectionOpened(_ connection: Connection<SenderConnection>) {
        report(self, .opened)
        switch state.handshakeDone(host: connection.requestedHostName) {
        case .invalidHost(let host): gateway.invalidHost = host
        case .enter(let name): _ = enter(name, connection)
        case .nothing: break
        }
        switch openWorld(connection) {
        case .settings(let settings): start(settings.list, connection)
        case .goAway(let goAway):
            start([.maxConcurrentStreams(gateway.streamLimit)], connection)
            state.refuse(goAway)
            report(self, .refused(goAway))
        }
        if case .closeAfterGrace = state.opened() { close(connection, after: SenderConnection.refusalGrace) }
    }

    private func openWorld(_ connection: Connection<SenderConnection>) -> GatewayConnection.Opening {
        world.open(&gateway, ClientCertificate(connection.peerCertificate, connection.peerVerification))
    }

    /// The connection belongs to this world from now on, or is refused where there are too many.
    ///
    /// - Returns: Whether the world exists.
    private func enter(_ name: WorldName, _ connection: Connection<SenderConnection>) -> Bool {
        do throws(Worlds.CreationError) {
            belong(to: try worlds.world(name))
            return true
        } catch {
            let why =
                switch error {
                case .full(let maximum): "cannot be made: there are \(maximum) already"
                case .memoryFull: "cannot be made: the gateway is at its limit of memory (--memory)"
                case .opening, .taken: "is being made at this moment; connect again"
                }
            let goAway = GoAway(.serviceUnavailable, "the world \(name) \(why)")
            if case .refuse(let goAway) = state.worldMissing(goAway) {
                sendRefusal(goAway, connection)
                close(connection, after: SenderConnection.refusalGrace)
            }
            return false
        }
    }

    private func belong(to world: LiveWorld) {
        self.world = world
        gateway = GatewayConnection(environment: world.environment, role: role)
    }

    /// As `enter`, for a world that a request names. The certificate is checked again by the settings of that world.
    ///
    /// - Returns: Whether the request is taken.
    func enterForRequest(_ name: WorldName, _ connection: Connection<SenderConnection>) -> Bool {
        guard enter(name, connection) else { return false }
        openOther(connection)
        return true
    }

    /// The world could not be stored at its first use, so another one of its name takes its place. If that cannot be made, the
    /// connection keeps the world, which refuses all requests.
    func replaceWorld(_ connection: Connection<SenderConnection>) {
        guard let next = try? worlds.world(world.name) else { return }
        belong(to: next)
        openOther(connection)
    }

    private func openOther(_ connection: Connection<SenderConnection>) {
        if case .goAway(let goAway) = openWorld(connection) { leave(goAway, grace: .zero) }
    }

    private static let refusalGrace: Duration = .seconds(2)
    /// Many small bodies are in flight at once; a small window for the whole connection would delay all of them.
    private static let connectionWindow: Int32 = 8 << 20

    private func start(_ settings: [HTTP2Setting], _ connection: Connection<SenderConnection>) {
        attempt(connection) { () throws(HTTP2Error) in
            try connection.http2.start(settings, connectionWindow: SenderConnection.connectionWindow)
        }
    }

    // MARK: End

    /// Refuses the connection before any of its requests is judged.
    func refuse(_ goAway: GoAway) { state.refuse(goAway) }

    func sendRefusal(_ goAway: GoAway, _ connection: Connection<SenderConnection>) {
        connection.http2.goAway(lastStreamID: 0, .noError, debugData: goAway.debugData)
    }

    /// Closes at once, because it has no requests and another connection needs its place.
    func makeRoom() {
        leave(GoAway(.serviceUnavailable, "the gateway is at its limit of connections without requests"), grace: .zero)
        if let connection { connection.close() } else { channel.close(promise: nil) }
    }

    /// Sends GOAWAY, answers what is under way, and closes when that is done or `grace` is over.
    func leave(_ goAway: GoAway, grace: Duration) {
        guard let connection else { return channel.close(promise: nil) }  // the client has sent nothing
        switch state.leave(goAway) {
        case .sendGoAway:
            let last = min(connection.http2.lastProcessedStreamID, gateway.lastAcceptedStream)
            connection.http2.goAway(lastStreamID: last, .noError, debugData: goAway.debugData)
            connection.flush()
            if connection.isOpen { close(connection, after: grace) }
        case .closeAfterGrace: close(connection, after: grace)
        case .closeAtOnce: connection.close()
        case .nothing: break
        }
    }

    /// Resets requests that take too long to come in, by the machine's clock, because they hold its memory; and ends the
    /// connection if it is idle.
    func checkTime() {
        guard let connection, connection.isOpen, state.isServing else { return }
        for slot in incoming.indices where waiting.window == nil {
            guard let request = incoming[slot], MonotonicTime.now - request.began >= requestTimeout else { continue }
            incoming[slot] = nil
            connection.http2.reset(request.stream, .cancel)
        }
        connection.flush()
        endIfIdle(connection)
    }

    /// Ends a connection over which nothing came for too long by the world's clock.
    func endIfIdle(_ connection: Connection<SenderConnection>) {
        let length = idleTime.length(
            at: .now, lastRead: connection.lastRead, isManual: world.clock().mode == .manual)
        guard let goAway = world.idle(&gateway, for: length) else { return }
        leave(goAway, grace: .zero)
    }

    func close(_ connection: Connection<SenderConnection>, after grace: Duration) {
        graceTimer?.cancel()
        graceTimer = eventLoop.assumeIsolated().scheduleTask(in: .nanoseconds(grace.wholeNanoseconds)) {
            if case .refuseAndClose(let goAway) = self.state.graceOver() { self.sendRefusal(goAway, connection) }
            connection.close()
        }
    }

    func clientLeft() { report(self, .ended) }

    func connectionClosed(_ connection: Connection<SenderConnection>, error: TransportError?) {
        state.connectionEnded()
        graceTimer?.cancel()
        waitingTimer?.task.cancel()
        self.connection = nil
        incoming = []
        waiting = DeferredEffects()
        silent = []
        unstored = []
        report(self, .ended)
    }

    /// The first request is complete.
    func reportUse() { report(self, .used) }

    /// A step that fails only where the connection is of no use any more.
    func attempt(_ connection: Connection<SenderConnection>, _ step: () throws(HTTP2Error) -> Void) {
        do throws(HTTP2Error) {
            try step()
        } catch {
            connection.fail(TransportError(.protocolViolation, error.description))
        }
    }
}

extension ConnectionSettings {
    fileprivate var list: [HTTP2Setting] {
        [
            .headerTableSize(headerTableSize), .maxConcurrentStreams(maximumConcurrentStreams),
            .initialWindowSize(initialWindowSize), .maxFrameSize(maximumFrameSize),
            .maxHeaderListSize(maximumHeaderListSize),
        ]
    }
}
