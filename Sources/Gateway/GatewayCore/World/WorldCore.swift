package import APNSModel

/// The single values of a world: its clock, its counts, the state of its random numbers. Small, and stored with every change.
package struct WorldCore: Sendable, Codable {
    /// The ids of the journal are derived from it, so it never changes.
    package let seed: UInt64
    var settings: WorldSettings
    /// The settings at the start, to tell a setting that was changed since from one that was configured.
    var startSettings: WorldSettings
    var clock: WorldClock
    var generator: SeededGenerator
    var counts: RequestCounts
    var channelCounts: RequestCounts
    /// The numbers of the entries in the journal.
    package var journal: Range<UInt64>
    var sandbox: DeviceTable.Marks
    var production: DeviceTable.Marks
    var nextChannel: UInt64
    var appsRevision: Int
    var faults: FaultTable
    /// Where the world differs from the gateway's configuration, so that it is created the same way again.
    package var setup: WorldSetup?
}

/// A world as a store has it.
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
