import APNSModel
import GatewayCore
import GatewayServer

extension RunningGateway {
    private var accepted: [JournalEntry] {
        var query = NotificationQuery()
        query.limit = NotificationQuery.maximumLimit
        return read { world in world.notifications(query).entries.filter { $0.verdict.isAccepted } }
    }

    /// Notifications accepted so far.
    var acceptedCount: Int { accepted.count }

    /// The bytes of their payloads.
    var acceptedBytes: Int { accepted.reduce(0) { $0 + $1.payload.count } }

    /// How many notifications for a device were accepted so far.
    func count(for token: DeviceToken) -> Int { accepted.count { $0.token == token.hex } }

    /// Waits until the next notification for a device has a fate beyond being stored.
    ///
    /// - Parameter count: How many it had before.
    func fate(ofNextAfter count: Int, for token: DeviceToken) async -> String {
        let line = { @Sendable [self] () -> LifeEntry? in
            let own = accepted.filter { $0.token == token.hex }
            guard own.count > count, let last = own.first?.life.last else { return nil }
            return ![.accepted, .stored].contains(last.stage) ? last : nil
        }
        _ = await wait(upTo: .seconds(30)) { line() != nil }
        return line().map { "\($0.stage.rawValue), \($0.why)" } ?? "not settled"
    }
}
