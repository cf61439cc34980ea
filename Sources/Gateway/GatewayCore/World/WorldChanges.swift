package import APNSModel

/// What has changed in a world since the last call, for a store.
///
/// It has current values: what changed twice is here once, so that many requests can share one commit.
package struct WorldChanges: Sendable {
    package struct ChangedDevice: Sendable {
        package let environment: APNSEnvironment
        package let slot: Int
        package let device: Device
    }

    package struct ChangedChannel: Sendable {
        package let id: ChannelID
        /// Nil for one that was deleted.
        package let channel: BroadcastChannel?
    }

    /// Whether it replaces everything that the store has of this world.
    package let isWhole: Bool
    package let core: WorldCore
    /// All keys in the order of registration; nil where none has changed.
    package let keys: [ProviderKey]?
    /// All apps; nil where none has changed.
    package let apps: [RegisteredApp]?
    package let devices: [ChangedDevice]
    package let channels: [ChangedChannel]
    /// The new entries of the journal, oldest first.
    package let entries: [WorldSnapshot.Entry]
    /// New life lines, of new and old entries.
    package let lives: [LifeLine]
}

/// What a store already has of a world.
struct StoreMark: Sendable {
    /// `World.revision` when keys, apps and settings were last stored; nil for never.
    var revision: Int?
    /// Whether the store has nothing of this world, or has an older one under its name.
    var isNew: Bool
}
