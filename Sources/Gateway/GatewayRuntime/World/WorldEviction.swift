package import GatewayCore

/// Which worlds are removed because nobody uses them. The default world and those of the configuration stay.
package struct WorldEviction: Hashable, Sendable {
    package enum Reason: String, Hashable, Sendable, CaseIterable {
        /// Nobody has used it for longer than allowed.
        case age
        /// There are more idle worlds than allowed.
        case count
        /// The gateway is at its limit of memory.
        case memory
        /// A client asked for it.
        case request
    }

    /// A world that can be removed.
    package struct Candidate: Hashable, Sendable {
        package let name: WorldName
        /// For how long nobody has used it, in milliseconds.
        package let idle: Int64

        package init(name: WorldName, idle: Int64) {
            self.name = name
            self.idle = idle
        }
    }

    /// Worlds that nobody has used for so many milliseconds are removed; nil for no limit.
    package var maximumIdleTime: Int64?
    /// How many idle worlds there may be, beyond which those that are idle for longest are removed; nil for no limit.
    package var maximumIdleWorlds: Int?

    /// A world that was used within this time, in milliseconds, is not idle.
    package static let patience: Int64 = 60_000

    package init(maximumIdleTime: Int64? = nil, maximumIdleWorlds: Int? = nil) {
        self.maximumIdleTime = maximumIdleTime
        self.maximumIdleWorlds = maximumIdleWorlds
    }

    /// - Parameter isMemoryFull: Whether one more has to go, to make room.
    /// - Returns: What to remove, the longest idle first.
    package func removals(
        of worlds: [Candidate], isMemoryFull: Bool
    ) -> [(name: WorldName, reason: Reason)] {
        let sorted = worlds.sorted { $0.idle == $1.idle ? $0.name.text < $1.name.text : $0.idle > $1.idle }
        var removals: [(name: WorldName, reason: Reason)] = []
        let old = sorted.prefix { world in maximumIdleTime.map { world.idle >= $0 } ?? false }
        removals += old.map { ($0.name, .age) }
        let idle = sorted.dropFirst(old.count).prefix { $0.idle >= WorldEviction.patience }
        if let maximumIdleWorlds {
            removals += idle.prefix(max(0, idle.count - maximumIdleWorlds)).map { ($0.name, .count) }
        }
        if isMemoryFull, removals.isEmpty, let first = idle.first { removals.append((first.name, .memory)) }
        return removals
    }
}
