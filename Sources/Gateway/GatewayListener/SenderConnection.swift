import APNSModel
import APNSTransport
import GatewayCore
import GatewayRuntime
import HTTP2Session
import NIOCore

/// One sender's connection: collects requests, has them judged, writes the answers. Belongs to its event loop.
final class SenderConnection: ConnectionDelegate {
    /// A request on its way in.
    struct Incoming {
        var stream: HTTP2Stream
        var began: MonotonicTime
        var request: CompleteRequest
    }

    enum Phase {
        case serving
        /// To be told GOAWAY as soon as it has said its first word.
        case refusing(GoAway)
        /// GOAWAY is said; what was being received still gets its answer.
        case leaving
        /// A fault rule had GOAWAY said and wants the connection closed once everything owed is sent.
        case closing
        /// A fault rule keeps TLS from beginning.
        case held
        /// A fault rule made it silent in both directions.
        case silent
    }

    /// How the connection came to its world, and so whether a request can still choose it.
    private enum Choice {
        /// Its first request chooses.
        case open
        /// By its port, by the host that TLS asked for, or by its first request.
        case made
    }

    /// What the listener is told of a connection's life.
    enum Step {
        /// The first bytes have come.
        case began
        /// The handshake is done.
        case opened
        /// The first request has come.
        case used
        /// The connection is gone.
        case ended
    }

    private let tell: (SenderConnection, Step) -> Void
    /// As the listener knows it.
    var id: ConnectionTable.ID = 0
    private var isUsed = false
    private let worlds: Worlds
    /// The world that the connection belongs to.
    private(set) var state: GatewayState
    private var choice: Choice
    private let role: GatewayConnection.Role
    /// The value of `:authority` of the last request, and whether it names another world or none that can be.
    private var lastAuthority: String?
    private var isMisdirected = false
    /// Whether its world cannot be made, so that no request is judged.
    private var hasNoWorld = false
    private let channel: any Channel
    var eventLoop: any EventLoop { channel.eventLoop }
    private let requestTimeout: Duration
    var gateway: GatewayConnection
    var phase = Phase.serving
    // Each request changes some of these four. Checking each time that nobody else does took a hundredth of the CPU.
    @exclusivity(unchecked)
    private var knownValues = KnownValues()
    /// By slot of the stream.
    @exclusivity(unchecked)
    private(set) var incoming: [Incoming?] = []
    /// Those of the batch that can be judged. Empty between two batches.
    @exclusivity(unchecked)
    private var complete: [CompleteRequest] = []
    @exclusivity(unchecked)
    private var streams: [(stream: HTTP2Stream, isIncomplete: Bool)] = []
    /// Those of its event loop, from its start on.
    private var spares: SpareRequests?
    /// Batches that are judged and not stored yet, oldest first.
    private var unkept: [UnkeptBatch] = []
    private var lastBatch = 0

    private struct UnkeptBatch {
        let number: Int
        let judgements: [Judgement?]
        let streams: [(stream: HTTP2Stream, isIncomplete: Bool)]
    }
    private(set) var connection: Connection<SenderConnection>?
    private(set) var graceTimer: Scheduled<Void>?
    /// What fault rules have put off.
    var waiting = PutOff()
    var waitingTimer: (due: Int64, task: Scheduled<Void>)?
    /// The streams that a fault rule leaves without an answer.
    var silent: Set<Int32> = []
    var silence = Silence()

    /// - Parameters:
    ///   - world: That of the port; nil where senders choose.
    ///   - requestTimeout: From the head of a request to its end.
    init(
        _ worlds: Worlds, _ world: GatewayState?, _ role: GatewayConnection.Role, _ channel: any Channel,
        requestTimeout: Duration, tell: @escaping (SenderConnection, Step) -> Void
    ) {
        self.worlds = worlds
        self.role = role
        state = world ?? worlds.standard
        choice = world == nil ? .open : .made
        self.channel = channel
        self.requestTimeout = requestTimeout
        self.tell = tell
        gateway = GatewayConnection(environment: state.environment, role: role)
    }

    /// What a server of this kind lets its clients do.
    static let limits: HTTP2Limits = {
        var limits = HTTP2Limits.server
        limits.headerListBytes = RequestHead.maximumListBytes
        limits.storedBodyBytes = World.maximumBodyBytes
        return limits
    }()

    // MARK: Life

    func connectionStarted(_ connection: Connection<SenderConnection>) {
        self.connection = connection
        spares = .ofThisThread
        tell(self, .began)
        guard case .serving = phase, let due = state.connects() else { return }
        phase = .held
        waiting.handshake = due
        connection.holdHandshake()
        setWaitingTimer(connection)
    }

    func connectionOpened(_ connection: Connection<SenderConnection>) {
        tell(self, .opened)
        if let host = connection.requestedHostName {
            if WorldName.isMisspelt(host: host) {
                gateway.misspeltHost = host
            } else if choice == .open, let name = WorldName(host: host) {
                enter(name)
            }
        }
        let certificate = ClientCertificate(connection.peerCertificate, connection.peerVerification)
        switch state.open(&gateway, certificate) {
        case .settings(let settings): start(settings.list, connection)
        case .goAway(let goAway):
            start([.maxConcurrentStreams(gateway.streamLimit)], connection)
            refuse(goAway)
        }
        if case .refusing = phase { close(connection, after: SenderConnection.refusalGrace) }
    }

    /// The connection belongs to this world from now on, or is refused where there are too many.
    private func enter(_ name: WorldName) {
        choice = .made
        do throws(Worlds.Fault) {
            state = try worlds.world(name)
            gateway = GatewayConnection(environment: state.environment, role: role)
        } catch {
            hasNoWorld = true
            refuse(GoAway(.serviceUnavailable, "the world \(name) cannot be made: there are \(worlds.maximum) already"))
        }
    }

    /// Looks at an `:authority` that differs from the one before. The first may choose the world, as TLS could have; a
    /// later one that names another world is that of a client that takes one connection for several hosts.
    private func check(_ authority: String?, _ connection: Connection<SenderConnection>) {
        lastAuthority = authority
        let isMisspelt = gateway.misspeltHost != nil || authority.map { WorldName.isMisspelt(authority: $0) } ?? false
        let name = authority.flatMap { WorldName(authority: $0) }
        guard choice == .open, !isMisspelt else {
            choice = .made
            isMisdirected = isMisspelt || name.map { $0 != state.name } ?? false
            return
        }
        choice = .made
        guard let name, name != state.name else { return }
        enter(name)
        let certificate = ClientCertificate(connection.peerCertificate, connection.peerVerification)
        if case .goAway(let goAway) = state.open(&gateway, certificate) { leave(goAway, grace: .zero) }
        if case .refusing(let goAway) = phase {
            sayRefusal(goAway, connection)
            close(connection, after: SenderConnection.refusalGrace)
        }
    }

    /// Refuses the connection before anything of it is judged. The GOAWAY goes out behind the client's first bytes: a
    /// socket that is closed over unread bytes is reset, and with it goes the reason.
    func refuse(_ goAway: GoAway) {
        guard case .serving = phase else { return }
        phase = .refusing(goAway)
    }

    /// Goes at once, for it does nothing and others have no room.
    func makeRoom() {
        leave(GoAway(.serviceUnavailable, "the gateway has no room for a connection without requests"), grace: .zero)
        if let connection { connection.close() } else { channel.close(promise: nil) }
    }

    private static let refusalGrace: Duration = .seconds(2)
    /// Many small bodies are under way at once; what they may take together should hold nobody up.
    private static let connectionWindow: Int32 = 8 << 20

    private func start(_ settings: [HTTP2Setting], _ connection: Connection<SenderConnection>) {
        attempt(connection) { () throws(HTTP2Error) in
            try connection.http2.start(settings, connectionWindow: SenderConnection.connectionWindow)
        }
    }

    /// Says GOAWAY, answers what is under way, and closes when that is done or `grace` is over.
    func leave(_ goAway: GoAway, grace: Duration) {
        guard let connection else { return channel.close(promise: nil) }  // it has not said a word
        switch phase {
        case .held, .silent: return connection.close()
        default: break
        }
        guard connection.isOpen else { return refuse(goAway) }  // still in the handshake
        switch phase {
        case .serving:
            phase = .leaving
            let last = min(connection.http2.lastProcessedStreamID, gateway.lastTaken)
            connection.http2.goAway(lastStreamID: last, .noError, debugData: goAway.debugData)
            connection.flush()
            if connection.isOpen { close(connection, after: grace) }
        case .closing: close(connection, after: grace)
        case .refusing, .leaving, .held, .silent: return
        }
    }

    /// Resets requests that take too long to come in, by the machine's clock, because they hold its memory; and looks
    /// whether the connection is idle.
    func checkTime() {
        guard let connection, connection.isOpen, case .serving = phase else { return }
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
        let length = silence.length(
            at: .now, lastRead: connection.lastRead, isManual: state.clock().mode == .manual)
        guard let goAway = state.idle(&gateway, for: length) else { return }
        leave(goAway, grace: .zero)
    }

    func close(_ connection: Connection<SenderConnection>, after grace: Duration) {
        graceTimer?.cancel()
        graceTimer = eventLoop.assumeIsolated().scheduleTask(in: .nanoseconds(grace.wholeNanoseconds)) {
            if case .refusing(let goAway) = self.phase { self.sayRefusal(goAway, connection) }
            connection.close()
        }
    }

    private func sayRefusal(_ goAway: GoAway, _ connection: Connection<SenderConnection>) {
        phase = .leaving
        connection.http2.goAway(lastStreamID: 0, .noError, debugData: goAway.debugData)
    }

    func clientLeft() { tell(self, .ended) }

    func connectionClosed(_ connection: Connection<SenderConnection>, error: TransportError?) {
        graceTimer?.cancel()
        waitingTimer?.task.cancel()
        self.connection = nil
        incoming = []
        waiting = PutOff()
        silent = []
        unkept = []
        tell(self, .ended)
    }

    // MARK: Requests

    func connection(_ connection: Connection<SenderConnection>, received batch: borrowing HTTP2EventBatch) {
        if case .refusing(let goAway) = phase { return sayRefusal(goAway, connection) }
        for event in batch.events {
            switch event {
            case .head(let stream, let fields): begin(stream, fields, batch, connection)
            case .body(let stream, let range):
                guard incoming.indices.contains(Int(stream.slot)) else { break }
                incoming[Int(stream.slot)]?.request.append(batch.bytes(range))
            case .end(let stream, let bodyBytes): finish(stream, bodyBytes: bodyBytes, isIncomplete: false)
            case .bodyTooLong(let stream):
                finish(stream, bodyBytes: SenderConnection.limits.bodyBytes + 1, isIncomplete: true)
            case .closed(let stream, _):
                if incoming.indices.contains(Int(stream.slot)) { incoming[Int(stream.slot)] = nil }
                if waiting.hasAnswers { waiting.drop(stream) }
                if !silent.isEmpty { silent.remove(stream.id) }
            case .settings, .settingsAcknowledged, .goAway, .pingAcknowledged: break
            }
        }
        if !complete.isEmpty {
            if !isUsed { tell(self, .used) }
            isUsed = true
            answer(connection)
        }
        if case .closing = phase { closeIfDone(connection) }
    }

    private func begin(
        _ stream: HTTP2Stream, _ fields: Range<Int>, _ batch: borrowing HTTP2EventBatch,
        _ connection: Connection<SenderConnection>
    ) {
        let now = connection.lastRead
        let slot = Int(stream.slot)
        while incoming.count <= slot { incoming.append(nil) }
        let head = SenderConnection.head(batch, fields, &knownValues)
        // The same text as last time is the same object, so that this costs next to nothing.
        if choice == .open || head.authority != lastAuthority { check(head.authority, connection) }
        guard !hasNoWorld else { return }
        let request: CompleteRequest
        if let spare = spares?.take() {
            spare.begin(stream: stream.id, head: consume head, began: now, isMisdirected: isMisdirected)
            request = spare
        } else {
            request = CompleteRequest(
                stream: stream.id, head: consume head, began: now, isMisdirected: isMisdirected)
        }
        incoming[slot] = Incoming(stream: stream, began: now, request: request)
    }

    private static func head(
        _ batch: borrowing HTTP2EventBatch, _ fields: Range<Int>, _ known: inout KnownValues
    ) -> RequestHead {
        var head = RequestHead()
        // No closure, for which the head would have to be copied.
        for index in fields {
            let field = batch.field(index)
            head.add(name: field.name, value: field.value, known: &known)
        }
        if head.mayRepeatOthers { noteRepeated(batch, fields, &head) }
        return head
    }

    private static func noteRepeated(
        _ batch: borrowing HTTP2EventBatch, _ fields: Range<Int>, _ head: inout RequestHead
    ) {
        for index in fields {
            let name = batch.field(index).name
            let isRepeated = (fields.lowerBound..<index).contains { batch.field($0).name.elementsEqual(name) }
            if isRepeated { head.noteRepeated(name) }
        }
    }

    private func finish(_ stream: HTTP2Stream, bodyBytes: Int, isIncomplete: Bool) {
        let slot = Int(stream.slot)
        guard incoming.indices.contains(slot), incoming[slot]?.stream == stream,
            let request = incoming[slot].take()?.request
        else { return }
        request.end(bodyBytes: bodyBytes)
        complete.append(request)
        streams.append((stream, isIncomplete))
    }

    private func answer(_ connection: Connection<SenderConnection>) {
        guard !state.isKept else { return answerOnceKept() }
        let judgements = state.judge(complete, on: &gateway)
        spares?.give(&complete)
        carryOut(judgements, streams, connection)
        streams.removeAll(keepingCapacity: true)
    }

    private func carryOut(
        _ judgements: [Judgement?], _ streams: [(stream: HTTP2Stream, isIncomplete: Bool)],
        _ connection: Connection<SenderConnection>
    ) {
        for (judgement, (stream, isIncomplete)) in zip(judgements, streams) {
            guard let judgement else { continue }
            if let limit = judgement.streamLimit {
                attempt(connection) { () throws(HTTP2Error) in
                    try connection.http2.updateSettings([.maxConcurrentStreams(limit)])
                }
            }
            if let fault = judgement.fault {
                let answer = judgement.response.map {
                    HeldAnswers.Answer(
                        stream: stream, isRequestIncomplete: isIncomplete, response: $0, verdict: judgement.verdict,
                        began: connection.lastRead)
                }
                carryOut(fault, answer, stream, connection)
            } else if let response = judgement.response {
                respond(response, to: stream, isRequestIncomplete: isIncomplete, connection)
            }
        }
        if !waiting.isEmpty, connection.isOpen { setWaitingTimer(connection) }
    }

    /// Has the batch judged, and answers when the store has it.
    private func answerOnceKept() {
        lastBatch += 1
        let number = lastBatch
        let peer = NIOLoopBound(self, eventLoop: eventLoop)
        let judgements = state.judge(complete, on: &gateway) { isKept in
            peer.eventLoop.execute { peer.value.answer(number, isKept: isKept) }
        }
        spares?.give(&complete)
        unkept.append(UnkeptBatch(number: number, judgements: judgements, streams: streams))
        streams.removeAll(keepingCapacity: true)
    }

    private func answer(_ number: Int, isKept: Bool) {
        guard let connection, let index = unkept.firstIndex(where: { $0.number == number }) else { return }
        let batch = unkept.remove(at: index)
        guard connection.isOpen else { return }
        if isKept {
            carryOut(batch.judgements, batch.streams, connection)
        } else {
            refuse(batch, connection)
        }
        connection.flush()
        if connection.isOpen, case .closing = phase { closeIfDone(connection) }
    }

    /// What was accepted and could not be stored was not accepted; refusals stay what they are.
    private func refuse(_ batch: UnkeptBatch, _ connection: Connection<SenderConnection>) {
        let contested = state.read { world, _ in world.settings.contested }
        for (judgement, (stream, isIncomplete)) in zip(batch.judgements, batch.streams) {
            guard let response = judgement?.response else { continue }
            respond(
                judgement?.verdict.isAccepted ?? false ? GatewayResponse(unkept: response, contested) : response,
                to: stream, isRequestIncomplete: isIncomplete, connection)
        }
    }

    private func respond(
        _ response: GatewayResponse, to stream: HTTP2Stream, isRequestIncomplete: Bool, keepsBodyBack: Bool = false,
        _ connection: Connection<SenderConnection>
    ) {
        attempt(connection) { () throws(HTTP2Error) in
            try connection.http2.respond(
                to: stream, body: response.body, isRequestIncomplete: isRequestIncomplete, keepsBodyBack: keepsBodyBack
            ) {
                response.add(to: &$0)
            }
        }
    }

    func respond(
        _ answer: HeldAnswers.Answer, keepsBodyBack: Bool = false, _ connection: Connection<SenderConnection>
    ) {
        respond(
            answer.response, to: answer.stream, isRequestIncomplete: answer.isRequestIncomplete,
            keepsBodyBack: keepsBodyBack, connection)
    }

    /// A step that fails only where the connection is of no use any more.
    func attempt(_ connection: Connection<SenderConnection>, _ step: () throws(HTTP2Error) -> Void) {
        do throws(HTTP2Error) {
            try step()
        } catch {
            connection.fail(TransportError(.protocolViolation, error.description))
        }
    }
}

extension GatewayResponse {
    /// The header set of docs/reference/apns.md 1.7 and 2.6, in its order.
    fileprivate func add(to fields: inout HTTP2Fields) {
        if status == 200 { fields.add(":status", "200" as StaticString) } else { fields.add(":status", status) }
        fields.add(isAboutChannels ? "apns-request-id" : "apns-id", apnsID, isIndexed: false)
        if let channelID { fields.add("apns-channel-id", channelID, isIndexed: false) }
        shownID?.withBytes { fields.add("apns-unique-id", $0, isIndexed: false) }
        if let contentType { fields.add("content-type", contentType) }
        if let retryAfter { fields.add("retry-after", retryAfter) }
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
