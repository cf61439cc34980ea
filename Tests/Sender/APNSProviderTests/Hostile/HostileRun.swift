import APNSModel
import APNSTransport
import HTTP2Session
import TestSeeds

@testable import APNSProvider

/// A provider's core and the HTTP/2 sessions of its connections against a `HostileServer`, without sockets and on virtual
/// time, with the settings that a provider has by default. The clock runs in the steps of the provider's timer.
final class HostileRun {
    private static let deadline = Duration.seconds(30)

    private final class End {
        var session: HTTP2Session
        var conversation: HostileConversation
        var acts: [HostileServer.Act] = []
        var isPumping = false

        init(_ server: HostileServer) throws {
            session = try HTTP2Session(.client, limits: .client)
            try session.start([.enablePush(false)], connectionWindow: 1 << 20)
            conversation = HostileConversation(server)
        }
    }

    private let test: HostileCase
    /// How many bytes of the server arrive together at most.
    private let piece: Int
    private var core: ProviderCore
    private var now = MonotonicTime.zero
    private var ends: [Int: End] = [:]
    private var connects = 0
    private var isHostile = true
    private var lastFloodFrame = 0
    private var buffer = [UInt8](repeating: 0, count: 16384)
    private var actions: [ProviderCore.Action] = []
    private var resolved: [ProviderCore.Resolution] = []
    private var outcomes: [Int: (outcome: APNSOutcome, at: MonotonicTime)] = [:]

    init(_ test: HostileCase, piece: Int = 65536) {
        self.test = test
        self.piece = piece
        core = ProviderCore(
            limits: ProviderCore.Limits(initialStreams: test.usesCertificate ? 0 : 1),
            reconnection: ReconnectionPolicy(first: .milliseconds(250), longest: .seconds(60), seed: 1))
    }

    /// Sends one notification.
    func send() throws -> Ending? {
        guard let (outcome, at) = try result(of: 1) else { return nil }
        let bound: Ending.Bound? =
            switch at {
            case .zero where lastFloodFrame > 0: .frame(lastFloodFrame)
            case .zero: .atOnce
            case .zero + .seconds(25): .silence
            case .zero + HostileRun.deadline: .deadline
            default: nil
            }
        return bound.map { Ending(outcome, $0, kept: core.connections.first??.isOpen == true, connects: connects) }
    }

    /// Sends another notification to the server, which behaves now.
    ///
    /// - Returns: Whether it was accepted, and whether that took another connection.
    func sendAgain() throws -> (isAccepted: Bool, isReconnected: Bool) {
        isHostile = false
        let before = connects
        guard case .accepted? = try result(of: 2)?.outcome else { return (false, connects > before) }
        return (true, connects > before)
    }

    /// The result of a notification; nil when it has none a minute after its deadline.
    private func result(of number: Int) throws -> (outcome: APNSOutcome, at: MonotonicTime)? {
        let submission = Submission(number, submitted: now, deadline: now + HostileRun.deadline)
        submission.apnsID = "00000000-0000-0000-0000-00000000000\(number)"
        core.submit(submission)
        try work()
        let start = now
        while outcomes[number] == nil, now - start < HostileRun.deadline + .seconds(60) { try tick() }
        return outcomes[number]
    }

    // MARK: The provider's loop

    private func tick() throws {
        now = now + .milliseconds(20)
        if isHostile, now.nanoseconds % 1_000_000_000 == 0, let eachSecond = test.server.eachSecond {
            for (index, end) in ends where end.conversation.lastStream > 0 {
                let second = Int(now.nanoseconds / 1_000_000_000)
                end.acts.append(.send(eachSecond(end.conversation.lastStream, second)))
                try pump(index, end)
            }
        }
        core.expire(at: now, actions: &actions, resolved: &resolved) { [self] in wasSent($0, $1) }
        try work()
    }

    private func work() throws {
        for index in core.availableConnections(at: now) { try fill(index) }
        core.plan(at: now, actions: &actions, resolved: &resolved)
        while !actions.isEmpty {
            let due = actions
            actions = []
            for action in due { try perform(action) }
        }
        for resolution in resolved {
            precondition(outcomes[resolution.submission.number] == nil, "a second outcome")
            outcomes[resolution.submission.number] = (resolution.outcome, now)
        }
        resolved = []
    }

    private func fill(_ index: Int) throws {
        guard let end = ends[index] else { return }
        core.fill(index, atMost: .max, at: now, tokenNumber: 1, resolved: &resolved) { submission in
            guard let notification = submission.notification else { return .full }
            let stream = try? end.session.request(body: notification.payload) { fields in
                fields.add(":method", "POST")
                fields.add(":scheme", "https")
                fields.add(":path", "/3/device/\(notification.deviceToken.hex)")
                fields.add(":authority", "localhost")
                fields.add("apns-id", submission.apnsID)
            }
            return stream.map { .stream(Int($0.slot)) } ?? .full
        }
        try pump(index, end)
    }

    private func perform(_ action: ProviderCore.Action) throws {
        switch action {
        case .open(let index):
            connects += 1
            let end = try End(test.server)
            ends[index] = end
            end.acts = isHostile ? test.server.opening : [.send(HostileServer.preface)]
            core.opened(connection: index, at: now)
            try fill(index)
            try work()
        case .close(let index): lose(index, nil)
        case .abort(let index): lose(index, TransportError(.silent, "the gateway did not answer a PING"))
        case .ping(let index):
            guard let end = ends[index] else { return }
            end.session.ping(0)
            try pump(index, end)
        case .reset(let index, let slot):
            guard let end = ends[index], let stream = end.session.stream(inSlot: slot) else { return }
            end.session.reset(stream, .cancel)
            try pump(index, end)
        }
    }

    private func lose(_ index: Int, _ error: TransportError?) {
        guard let end = ends.removeValue(forKey: index) else { return }
        core.lost(
            connection: index, description: error?.detail ?? "the connection was closed",
            isPermanent: error?.isPermanent ?? false, isHandshakeRefused: error?.code == .handshakeFailed, at: now,
            resolved: &resolved
        ) { HostileRun.wasSent($0, end) }
    }

    private func wasSent(_ index: Int, _ slot: Int) -> Bool {
        ends[index].map { HostileRun.wasSent(slot, $0) } ?? true
    }

    private static func wasSent(_ slot: Int, _ end: End) -> Bool {
        end.session.stream(inSlot: slot).map { end.session.wasSent($0) } ?? true
    }

    // MARK: Bytes

    /// Moves bytes both ways until neither end has any.
    private func pump(_ index: Int, _ end: End) throws {
        guard !end.isPumping else { return }
        end.isPumping = true
        defer { end.isPumping = false }
        try flush(index, end)
        while ends[index] === end, !end.acts.isEmpty {
            switch end.acts.removeFirst() {
            case .send(let bytes):
                var rest = bytes[...]
                while !rest.isEmpty, ends[index] === end {
                    let part = Array(rest.prefix(piece))
                    rest = rest.dropFirst(part.count)
                    try deliver(part, index, end)
                }
            case .flood(let frame, let count):
                for number in 1...count where ends[index] === end && isHostile {
                    if resolved.isEmpty { lastFloodFrame = number }
                    try deliver(frame, index, end)
                }
            case .close: lose(index, TransportError(.closedByPeer, "the peer closed the connection"))
            }
        }
    }

    private func deliver(_ bytes: [UInt8], _ index: Int, _ end: End) throws {
        var failure: HTTP2Error?
        var bytes = bytes
        bytes.withUnsafeMutableBytes { bytes in
            do throws(HTTP2Error) { try end.session.receive(bytes, at: now) } catch { failure = error }
        }
        try flush(index, end)
        if let failure { lose(index, TransportError(failure)) }
    }

    private func flush(_ index: Int, _ end: End) throws {
        repeat {
            if end.session.hasEvents { takeEvents(index, end) }
            let output = try output(of: &end.session)
            end.acts += end.conversation.received(output, isHostile: isHostile)
        } while end.session.hasEvents && ends[index] === end
        guard ends[index] === end, end.session.isFinished else { return }
        lose(index, end.session.violation.map { TransportError(violation: $0) })
    }

    private func takeEvents(_ index: Int, _ end: End) {
        let batch = end.session.takeEvents()
        let followUp = core.received(
            batch, on: index, streamLimit: end.session.peerMaxConcurrentStreams, at: now, resolved: &resolved)
        for stream in followUp.tooLong { end.session.reset(stream, .cancel) }
        end.session.recycle(batch)
    }

    private func output(of session: inout HTTP2Session) throws -> [UInt8] {
        var output: [UInt8] = []
        while true {
            let count = try buffer.withUnsafeMutableBytes { try session.send(into: $0) }
            guard count > 0 else { return output }
            output += buffer[..<count]
        }
    }
}
