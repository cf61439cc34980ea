import APNSModel

@testable import APNSProvider

/// A core with its time, actions and resolutions.
struct ProviderCoreBench {
    typealias Core = ProviderCore

    var core: Core
    var now = MonotonicTime.zero
    var resolved: [Core.Resolution] = []
    var actions: [Core.Action] = []
    private var nextSlot: [Int: Int] = [:]
    private var submissions: [Int: Submission] = [:]

    init(connections: Int = 1, connectAttempts: Int? = nil, first: Duration = .seconds(1), seed: UInt64 = 1) {
        self =
            ProviderCoreBench.loops(
                1, connections: connections, connectAttempts: connectAttempts, first: first, seed: seed)[0]
    }

    private init(core: Core) { self.core = core }

    /// The cores of the event loops of one provider, with `connections` each.
    static func loops(
        _ count: Int, connections: Int = 1, connectAttempts: Int? = nil, first: Duration = .seconds(1),
        seed: UInt64 = 1
    ) -> [ProviderCoreBench] {
        let attempts = GatewayAttempts(ReconnectionPolicy(first: first, longest: .seconds(60), seed: seed))
        return (0..<count).map { loop in
            ProviderCoreBench(
                core: Core(
                    limits: Core.Limits(connections: connections, connectAttempts: connectAttempts), loop: loop,
                    attempts: attempts))
        }
    }

    mutating func submit(_ number: Int, timeout: Duration = .seconds(30)) {
        let submission = Submission(number, submitted: now, deadline: now + timeout)
        submissions[number] = submission
        core.submit(submission)
    }

    mutating func plan() -> [Core.Action] {
        core.plan(at: now, actions: &actions, resolved: &resolved)
        defer { actions = [] }
        return actions
    }

    mutating func expire(wasSent: (Int, Int) -> Bool = { _, _ in true }) -> [Core.Action] {
        core.expire(at: now, actions: &actions, resolved: &resolved, wasSent: wasSent)
        defer { actions = [] }
        return actions
    }

    /// Opens what the plan asks for, and sets the stream limit.
    mutating func connect(streamLimit: Int = 1000) {
        for case .open(let connection) in plan() {
            core.opened(connection: connection, at: now)
            core.streamLimit(connection: connection, streamLimit)
        }
    }

    /// Writes all that `connection` takes; the numbers with their slots.
    @discardableResult
    mutating func fill(_ connection: Int = 0) -> [(number: Int, slot: Int)] {
        var written: [(Int, Int)] = []
        while let submission = core.next(on: connection, at: now, resolved: &resolved) {
            let slot = nextSlot[connection, default: 0]
            nextSlot[connection] = slot + 1
            core.started(submission, on: connection, slot: slot)
            written.append((submission.number, slot))
        }
        return written
    }

    mutating func answer(_ slot: Int, status: Int = 200, connection: Int = 0) {
        core.head(connection: connection, slot: slot, ResponseHead(status: status, apnsID: NotificationID(known: "ID")))
        if let resolution = core.answered(connection: connection, slot: slot, at: now) {
            resolved.append(resolution)
        }
        close(slot, connection: connection)
    }

    mutating func close(_ slot: Int, isRefused: Bool = false, connection: Int = 0) {
        if let resolution = core.closed(
            connection: connection, slot: slot, isRefused: isRefused, description: "CANCEL", at: now)
        {
            resolved.append(resolution)
        }
    }

    mutating func goAway(_ connection: Int = 0, reason: String? = "Shutdown") {
        core.goAway(connection: connection, reason: reason, at: now)
    }

    mutating func cancel(_ number: Int, wasSent: (Int, Int) -> Bool = { _, _ in true }) {
        guard let submission = submissions[number],
            let resolution = core.cancel(submission, actions: &actions, wasSent: wasSent)
        else { return }
        resolved.append(resolution)
    }

    mutating func lose(
        _ connection: Int = 0, isPermanent: Bool = false, isHandshakeRefused: Bool = false,
        refusesCertificate: Bool = false, wasSent: (Int) -> Bool = { _ in true }
    ) {
        nextSlot[connection] = nil
        core.lost(
            connection: connection, description: "connection reset", isPermanent: isPermanent,
            isHandshakeRefused: isHandshakeRefused, refusesCertificate: refusesCertificate, at: now,
            resolved: &resolved, wasSent: wasSent)
    }

    /// The errors of everything unsent or unknown so far, by number.
    var errors: [Int: APNSSendError] {
        var errors: [Int: APNSSendError] = [:]
        for resolution in resolved {
            switch resolution.outcome {
            case .unsent(let error), .unknown(let error): errors[resolution.submission.number] = error
            case .accepted, .refused: break
            }
        }
        return errors
    }

    /// Number and outcome of everything resolved so far.
    var outcomes: [Int: String] {
        Dictionary(uniqueKeysWithValues: resolved.map { ($0.submission.number, $0.outcome.name) })
    }
}
