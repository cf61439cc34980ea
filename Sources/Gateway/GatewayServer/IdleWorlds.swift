import GatewayConfiguration
import GatewayControl
import GatewayCore
import GatewayRuntime
import Logging
import Synchronization
import SystemFiles

/// Removes worlds that nobody uses, as the configuration asks for it, or because there is no memory for them.
final class IdleWorlds: Sendable {
    private let policy: WorldEviction
    private let worlds: Worlds
    private let opener: any WorldOpener
    private let logger: Logger
    /// Set while worlds are being removed.
    private let removal = Mutex<Task<Void, Never>?>(nil)

    init(_ configuration: GatewayConfiguration, _ worlds: Worlds, _ opener: any WorldOpener) {
        policy = WorldEviction(
            maximumIdleTime: configuration.worldIdle, maximumIdleWorlds: configuration.idleWorlds)
        self.worlds = worlds
        self.opener = opener
        logger = configuration.logger
    }

    /// Removes what has to go. Does nothing while the last call is not done.
    ///
    /// - Parameter real: The machine's time, in milliseconds since 1970.
    func check(at real: Int64 = WallClock.milliseconds) {
        let isFull = worlds.memory?.isFull ?? false
        guard policy.maximumIdleTime != nil || policy.maximumIdleWorlds != nil || isFull else { return }
        let removals = policy.removals(of: worlds.idleTimes(at: real), isMemoryFull: isFull)
        guard !removals.isEmpty else { return }
        removal.withLock { removal in
            guard removal == nil else { return }
            removal = Task {
                await self.remove(removals)
                self.removal.withLock { $0 = nil }
            }
        }
    }

    private func remove(_ removals: [(name: WorldName, reason: WorldEviction.Reason)]) async {
        for (name, reason) in removals where await opener.close(name) {
            worlds.countEviction(reason)
            logger.notice(
                "A world was removed, because nobody used it.",
                metadata: ["world": "\(name)", "reason": "\(reason.rawValue)"])
        }
    }

    /// Returns when no world is being removed.
    func finish() async { await removal.withLock { $0 }?.value }
}
