package import APNSModel

/// What a world has once: its clock, its counts, the state of its random numbers. Small, and kept with every change.
package struct WorldCore: Sendable, Codable {
    /// The ids of the journal are made of it, so that a world has the same one for ever.
    package let seed: UInt64
    var settings: WorldSettings
    /// What the world was started with, so that a setting which was changed since can be told from one that was given.
    var startSettings: WorldSettings
    var clock: WorldClock
    var generator: SeededGenerator
    var counts: RequestCounts
    var channelCounts: RequestCounts
    /// Those that are in the journal.
    package var journal: Range<UInt64>
    var sandbox: DeviceTable.Marks
    var production: DeviceTable.Marks
    var nextChannel: UInt64
    var appsRevision: Int
    var faults: FaultTable
    /// What the world was made with that is its own, so that it is made so again.
    package var setup: WorldSetup?
}

/// Everything of a world that a store has kept.
package struct WorldSnapshot: Sendable {
    package struct Entry: Sendable {
        package let sequence: UInt64
        package let record: JournalRecord

        package init(sequence: UInt64, record: JournalRecord) {
            self.sequence = sequence
            self.record = record
        }
    }

    package var core: WorldCore
    package var keys: [ProviderKey] = []
    package var apps: [RegisteredApp] = []
    /// By environment and slot.
    package var devices: [APNSEnvironment: [Int: Device]] = [:]
    package var channels: [BroadcastChannel] = []
    /// In the order of their numbers.
    package var entries: [Entry] = []

    package init(core: WorldCore) { self.core = core }
}
