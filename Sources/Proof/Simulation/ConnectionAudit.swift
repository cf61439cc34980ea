import GatewayCore

/// Checks how often the sender connects, and that a push is unsent only when it must be.
struct ConnectionAudit {
    /// The time from a push to its deadline, in milliseconds.
    static let timeout: Int64 = 30_000
    private static let window: Int64 = 600_000

    /// The connects in the last ten minutes without a connection that has worked steadily.
    private var connects: [Int64] = []
    private let maximum: Int
    /// The generations of the connections that were found to work steadily.
    private var steady: Set<Int> = []
    private var submissions: [UInt64: Int64] = [:]
    /// Pushes whose streams the sender has reset.
    private var inFlight: Set<UInt64> = []

    /// - Parameter connections: The size of the pool. While a gateway has not failed, it is opened without waits.
    init(connections: Int) { maximum = 19 + connections }

    mutating func submitted(_ id: UInt64, at now: Int64) { submissions[id] = now }

    mutating func abandoned(_ id: UInt64) { inFlight.insert(id) }

    /// The sender connects.
    ///
    /// - Returns: What is wrong about it.
    mutating func connects(at now: Int64) -> String? {
        connects.append(now)
        connects.removeAll { $0 <= now - ConnectionAudit.window }
        guard connects.count > maximum else { return nil }
        return "\(connects.count) connects in ten minutes, and no connection works; \(maximum) are allowed"
    }

    /// A connection has answered.
    mutating func answered(_ connection: SimulatedPushService.Connection, at now: Int64) {
        // Once for each connection: its later answers say nothing about other connections that fail.
        guard let first = connection.firstAnswer, now - first >= 10_000 else { return }
        if steady.insert(connection.generation).inserted { connects.removeAll() }
    }

    /// A connection ends, or the gateway has asked for another one.
    mutating func ended(_ connection: SimulatedPushService.Connection, at now: Int64) {
        guard let first = connection.firstAnswer, let last = connection.lastAnswer else { return }
        if last - first >= 10_000 || now - connection.opened >= 30_000 { connects.removeAll() }
    }

    /// A push that was not cancelled is unsent.
    ///
    /// - Returns: What is wrong about it.
    func unsent(_ id: UInt64, _ connections: [SimulatedPushService.Connection], at now: Int64) -> String? {
        if let submitted = submissions[id], now - submitted < ConnectionAudit.timeout {
            return "push \(id) is unsent after \(now - submitted) ms, before its deadline"
        }
        // One that was on a stream may have been on another connection, which is dead.
        guard !inFlight.contains(id) else { return nil }
        // A connection whose first answer comes in the moment of the deadline is too late.
        let isServed = connections.contains { connection in
            connection.isOpen && !connection.isDead && !connection.isLeaving
                && connection.firstAnswer.map { $0 < now } == true
                && connection.streams.count < Int(connection.gatewayConnection.streamLimit)
        }
        return isServed ? "push \(id) is unsent, but a connection serves" : nil
    }
}
