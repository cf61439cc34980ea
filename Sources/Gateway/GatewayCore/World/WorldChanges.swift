package import APNSModel

/// What has changed in a world since it was asked the last time, for a store.
///
/// Values as they are now: what changed twice in between is there once, which is what lets many requests share one commit.
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

    /// Whether nothing that was kept before counts any more.
    package let isWhole: Bool
    package let core: WorldCore
    /// All of them in the order of registration; nil where none has changed.
    package let keys: [ProviderKey]?
    /// All of them; nil where none has changed.
    package let apps: [RegisteredApp]?
    package let devices: [ChangedDevice]
    package let channels: [ChangedChannel]
    /// The new entries of the journal, oldest first.
    package let entries: [WorldSnapshot.Entry]
    /// What was added to the lives of entries, new ones included.
    package let lives: [LifeLine]
}

/// How much of a world a store knows.
struct StoreMark: Sendable {
    /// `World.revision` when keys, apps and settings were taken the last time; nil for never.
    var revision: Int?
    /// Whether the store has nothing of this world, or of another one in its place.
    var isNew: Bool
}
