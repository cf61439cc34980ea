import APNSModel
import HTTP2Session

/// One connection as `ProviderCore` sees it: its phase, its stream limit, its in-flight requests and when it was last
/// heard from.
struct ProviderConnection {
    private enum Phase { case connecting, open, draining }

    /// How long to leave a connection alone that refused all streams that were open on it.
    private static var refusalPause: Duration { .milliseconds(100) }
    /// How long to wait for the first answer and a higher stream limit before another connection is opened.
    private static var provingTime: Duration { .seconds(1) }

    private var phase = Phase.connecting
    private var slots: ContiguousArray<InFlightRequest?> = []
    /// Open streams, those of abandoned requests included.
    private(set) var streams = 0
    /// In-flight requests.
    private(set) var underWay = 0
    private var streamLimit: Int
    private var hasSettings = false
    /// Below the gateway's limit after it refused streams; grows by one with each answer.
    private var refusalLimit: Int?
    private var pausedUntil: MonotonicTime?
    private var lastHeard: MonotonicTime
    private var pingSent: MonotonicTime?
    private var opened: MonotonicTime
    /// When the last stream was closed, or the connection was opened.
    private var idleSince: MonotonicTime
    /// When the gateway first answered a notification here, which proves that the connection works. An answer that asks for a
    /// new connection does not.
    private var firstAnswer: MonotonicTime?
    /// Whether `noteSilence` was true.
    private var wasSilent = false
    /// Whether `noteSteadiness` was true.
    private var steadinessIsNoted = false
    /// Whether answers have come for `ReconnectionPolicy.steadyAnswers`.
    private(set) var isSteady = false
    /// The number of the last provider token that was refused here as expired.
    var expiredToken: Int?
    /// The reason of a GOAWAY that every other connection with the same certificate would get too.
    private(set) var certificateRefusal: String?
    /// The reason or the error code of the gateway's first GOAWAY.
    private(set) var goAwayDescription: String?

    /// - Parameter initialStreamLimit: How many streams to open before the gateway's SETTINGS have come.
    init(at now: MonotonicTime, initialStreamLimit: Int = 1) {
        streamLimit = initialStreamLimit
        lastHeard = now
        opened = now
        idleSince = now
    }

    var hasAnswered: Bool { firstAnswer != nil }
    var isConnecting: Bool { phase == .connecting }
    var isOpen: Bool { phase == .open }

    var isUsable: Bool { phase != .draining }
    var isDraining: Bool { phase == .draining }

    /// Whether the connection may soon take more than it does now: it is not open yet, its first answer has not come, or
    /// its stream limit is still one, which the gateway raises after the first provider token.
    func isStarting(at now: MonotonicTime) -> Bool {
        guard phase == .open else { return phase == .connecting }
        return (!hasAnswered || streamLimit == 1) && now - opened < ProviderConnection.provingTime
    }

    /// Whether requests were written and the time for the first answer has passed without one; true only once.
    mutating func noteSilence(at now: MonotonicTime) -> Bool {
        guard !wasSilent, phase == .open, !hasAnswered, streams > 0, now - opened >= ProviderConnection.provingTime
        else { return false }
        wasSilent = true
        return true
    }

    /// Whether answers have come for long enough; true only once.
    ///
    /// Mutating, because reading `isSteady` of a connection in the pool copies all of it.
    mutating func noteSteadiness() -> Bool {
        guard isSteady, !steadinessIsNoted else { return false }
        steadinessIsNoted = true
        return true
    }

    func takesStream(at now: MonotonicTime) -> Bool { freeStreams(at: now) > 0 }

    /// How many streams the connection could start now.
    func freeStreams(at now: MonotonicTime) -> Int {
        let limit = min(streamLimit, refusalLimit ?? .max)
        guard phase == .open, streams < limit else { return 0 }
        return pausedUntil.map { now >= $0 } ?? true ? limit - streams : 0
    }

    /// Why the gateway lets no stream, or not as many as its limit, be opened; nil where it does.
    var obstacle: String? {
        if streamLimit == 0 {
            return hasSettings ? "the gateway allows no stream at all" : "the gateway has sent no SETTINGS"
        }
        return refusalLimit == nil ? nil : "the gateway refuses streams (REFUSED_STREAM)"
    }

    // MARK: Streams

    mutating func start(_ request: consuming InFlightRequest, slot: Int) {
        while slots.count <= slot { slots.append(nil) }
        slots[slot] = request
        streams += 1
        underWay += 1
    }

    /// Reads the head of the answer in `slot`; ignores the head of an abandoned request.
    mutating func head(_ slot: Int, _ batch: borrowing HTTP2EventBatch, _ fields: Range<Int>) {
        guard slots.indices.contains(slot) else { return }
        slots[slot]?.read(batch, fields)
    }

    mutating func head(_ slot: Int, _ head: ResponseHead) {
        guard slots.indices.contains(slot), slots[slot] != nil else { return }
        slots[slot]?.answer.head = head
    }

    mutating func body(_ slot: Int, _ bytes: UnsafeRawBufferPointer) {
        guard slots.indices.contains(slot) else { return }
        slots[slot]?.answer.body.append(contentsOf: bytes)
    }

    /// The answer in `slot` is complete.
    mutating func answered(_ slot: Int, at now: MonotonicTime) -> InFlightRequest? {
        guard let request = take(slot) else { return nil }
        if !isSteady, !request.asksForNewConnection {
            let first = firstAnswer ?? now
            firstAnswer = first
            isSteady = now - first >= ReconnectionPolicy.steadyAnswers
        }
        if let limit = refusalLimit {
            refusalLimit = limit + 1 < streamLimit ? limit + 1 : nil
            pausedUntil = nil
        }
        return request
    }

    /// The stream in `slot` is closed.
    ///
    /// - Returns: The request, if it had no complete answer.
    mutating func end(_ slot: Int, isRefused: Bool, at now: MonotonicTime) -> InFlightRequest? {
        streams -= 1
        let request = take(slot)
        if streams == 0 { idleSince = now }
        // The session also reports a request that was abandoned before it was written as refused.
        if isRefused, phase == .open, let request, !request.hasHead {
            refusalLimit = max(1, streams)
            if streams == 0 { pausedUntil = now + ProviderConnection.refusalPause }
        }
        return request
    }

    /// Forgets the request in `slot`. Its stream stays counted until it is closed.
    mutating func abandon(_ slot: Int) -> InFlightRequest? { take(slot) }

    private mutating func take(_ slot: Int) -> InFlightRequest? {
        guard slots.indices.contains(slot), let request = slots[slot].take() else { return nil }
        underWay -= 1
        return request
    }

    /// The in-flight requests with their slots, oldest first, so that those sent again keep their order.
    var inFlight: [(Int, InFlightRequest)] {
        slots.indices.compactMap { slot in slots[slot].map { (slot, $0) } }
            .sorted { one, other in
                let (first, second) = (one.1.submission, other.1.submission)
                return (first.submitted, first.id) < (second.submitted, second.id)
            }
    }

    // MARK: Phases

    mutating func open(at now: MonotonicTime) {
        phase = .open
        opened = now
        lastHeard = now
        idleSince = now
    }

    /// The gateway's SETTINGS have come.
    mutating func setStreamLimit(_ limit: Int) {
        streamLimit = limit
        hasSettings = true
    }

    /// The gateway sent something.
    ///
    /// - Parameter now: When it was read. Events of this side, such as resets at a deadline, come with the time of the read
    ///   before: they answer no PING.
    mutating func heard(at now: MonotonicTime) {
        lastHeard = now
        if let sent = pingSent, now >= sent { pingSent = nil }
    }

    mutating func pinged(at now: MonotonicTime) { pingSent = now }

    /// Whether the connection has worked steadily until now.
    func wasSteady(at now: MonotonicTime) -> Bool {
        isSteady || hasAnswered && now - opened >= ReconnectionPolicy.steadyLife
    }

    /// Starts no new streams from now on.
    ///
    /// - Parameters:
    ///   - reason: The gateway's reason, from the debug data of its GOAWAY.
    ///   - description: The reason or the error code of that GOAWAY.
    mutating func drain(reason: String? = nil, description: String? = nil) {
        phase = .draining
        goAwayDescription = goAwayDescription ?? description
        if let reason, ["BadCertificate", "BadCertificateEnvironment"].contains(reason) {
            certificateRefusal = reason
        }
    }

    /// Why the connection ended, with the gateway's own reason where it gave one.
    func failure(_ description: String) -> String {
        if let certificateRefusal {
            return "the gateway closed the connection: \(certificateRefusal); check the client certificate"
        }
        return cause(description)
    }

    /// `description`, with the GOAWAY that came before it.
    func cause(_ description: String) -> String {
        goAwayDescription.map { "the gateway sent GOAWAY (\($0)); \(description)" } ?? description
    }

    enum HealthCheck { case nothing, ping, close, abort }

    /// What to do with the connection now.
    func healthCheck(at now: MonotonicTime, isClosing: Bool, limits: ProviderCore.Limits) -> HealthCheck {
        if phase == .connecting { return isClosing ? .close : .nothing }
        if streams == 0, phase == .draining || isClosing { return .close }
        if streams == 0, let timeout = limits.idleTimeout, now - idleSince >= timeout { return .close }
        if let pingSent { return now - pingSent >= limits.pingTimeout ? .abort : .nothing }
        // A stream on a connection that was idle for long causes a PING at once, so that a dead one is found soon.
        // So does a gateway that is open and has sent no SETTINGS: without them it may never take a stream.
        let isIdle = streams == 0 && hasSettings
        return now - lastHeard >= (isIdle ? limits.pingWhenIdle : limits.pingAfterSilence) ? .ping : .nothing
    }
}
