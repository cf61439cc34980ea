import APNSModel
import HTTP2Session

/// One connection as `ProviderCore` sees it: its phase, its stream limit, its in-flight requests and when it was last
/// heard from.
struct ProviderConnection {
    private enum Phase { case connecting, open, draining }

    /// Streams to open before the gateway's SETTINGS have come. APNs allows a connection with provider tokens one at
    /// first.
    private static var initialStreamLimit: Int { 1 }
    /// How long a limit of one stream may be the one from before the gateway has accepted the first provider token.
    private static var startTime: Duration { .seconds(1) }
    /// How long to leave a connection alone that refused all streams that were open on it.
    private static var refusalPause: Duration { .milliseconds(100) }

    private var phase = Phase.connecting
    private var opened: MonotonicTime?
    private var slots: ContiguousArray<InFlightRequest?> = []
    /// Open streams, those of abandoned requests included.
    private(set) var streams = 0
    /// In-flight requests.
    private(set) var underWay = 0
    private var streamLimit = initialStreamLimit
    /// Below the gateway's limit after it refused streams; grows by one with each answer.
    private var refusalLimit: Int?
    private var pausedUntil: MonotonicTime?
    private var lastHeard: MonotonicTime
    private var pingSent: MonotonicTime?
    /// When the last stream was closed, or the connection was opened.
    private var idleSince: MonotonicTime
    /// Whether the gateway answered at least one notification here, which proves that the connection works.
    private(set) var hasAnswered = false
    private(set) var wasDrainedInOrder = false
    /// The reason of a GOAWAY that every other connection with the same certificate would get too.
    private(set) var certificateRefusal: String?
    /// The reason or the error code of the gateway's first GOAWAY.
    private(set) var goAwayDescription: String?

    init(at now: MonotonicTime) {
        lastHeard = now
        idleSince = now
    }

    var isConnecting: Bool { phase == .connecting }
    var isOpen: Bool { phase == .open }

    /// Whether the connection may take more streams soon: it is connecting, or was just opened with a limit of one stream.
    func isStarting(at now: MonotonicTime) -> Bool {
        guard phase == .open, streamLimit == 1, let opened else { return phase == .connecting }
        return now - opened < ProviderConnection.startTime
    }

    var isUsable: Bool { phase != .draining }

    func takesStream(at now: MonotonicTime) -> Bool {
        guard phase == .open, streams < min(streamLimit, refusalLimit ?? .max) else { return false }
        return pausedUntil.map { now >= $0 } ?? true
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
    mutating func answered(_ slot: Int) -> InFlightRequest? {
        guard let request = take(slot) else { return nil }
        hasAnswered = true
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
        if streams == 0 { idleSince = now }
        if isRefused, phase == .open {
            refusalLimit = max(1, streams)
            if streams == 0 { pausedUntil = now + ProviderConnection.refusalPause }
        }
        return take(slot)
    }

    /// Forgets the request in `slot`. Its stream stays counted until it is closed.
    mutating func abandon(_ slot: Int) -> Submission? { take(slot)?.submission }

    private mutating func take(_ slot: Int) -> InFlightRequest? {
        guard slots.indices.contains(slot), let request = slots[slot].take() else { return nil }
        underWay -= 1
        return request
    }

    func slot(of id: UInt64) -> Int? { slots.firstIndex { $0?.submission.id == id } }

    func overdue(at now: MonotonicTime) -> [Int] {
        slots.indices.filter { slots[$0].map { $0.submission.deadline <= now } ?? false }
    }

    /// The in-flight requests with their slots, oldest first, so that those sent again keep their order.
    var inFlight: [(Int, InFlightRequest)] {
        slots.indices.compactMap { slot in slots[slot].map { (slot, $0) } }
            .sorted { $0.1.submission.id < $1.1.submission.id }
    }

    // MARK: Phases

    mutating func open(at now: MonotonicTime) {
        phase = .open
        opened = now
        lastHeard = now
        idleSince = now
    }

    mutating func setStreamLimit(_ limit: Int) { streamLimit = limit }

    mutating func heard(at now: MonotonicTime) {
        lastHeard = now
        pingSent = nil
    }

    mutating func pinged(at now: MonotonicTime) { pingSent = now }

    /// Starts no new streams from now on.
    ///
    /// - Parameters:
    ///   - reason: The gateway's reason, from the debug data of its GOAWAY.
    ///   - description: The reason or the error code of that GOAWAY.
    mutating func drain(reason: String? = nil, description: String? = nil) {
        phase = .draining
        goAwayDescription = goAwayDescription ?? description
        wasDrainedInOrder = hasAnswered
        if let reason, ["BadCertificate", "BadCertificateEnvironment"].contains(reason) {
            certificateRefusal = reason
        }
    }

    /// This side closes the connection, which is no failure.
    mutating func closedHere() {
        phase = .draining
        wasDrainedInOrder = true
    }

    enum HealthCheck { case nothing, ping, close, abort }

    /// What to do with the connection now.
    func healthCheck(at now: MonotonicTime, isClosing: Bool, limits: ProviderCore.Limits) -> HealthCheck {
        if phase == .connecting { return isClosing ? .close : .nothing }
        if streams == 0, phase == .draining || isClosing { return .close }
        if streams == 0, let timeout = limits.idleTimeout, now - idleSince >= timeout { return .close }
        if let pingSent { return now - pingSent >= limits.pingTimeout ? .abort : .nothing }
        // A stream on a connection that was idle for long causes a PING at once, so that a dead one is found soon.
        return now - lastHeard >= (streams == 0 ? limits.pingWhenIdle : limits.pingAfterSilence) ? .ping : .nothing
    }
}
