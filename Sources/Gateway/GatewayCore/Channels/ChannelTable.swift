import APNSModel

/// The channels of a world, in both environments.
struct ChannelTable: Sendable {
    private struct Owner: Hashable {
        let app: String
        let environment: APNSEnvironment
    }

    private var channels: [ChannelID: BroadcastChannel] = [:]
    /// In the order in which they were created.
    private var owned: [Owner: [ChannelID]] = [:]
    private(set) var nextOrdinal: UInt64 = 0
    /// The channels that changed since the store took them; nil without a store.
    var touched: Set<ChannelID>?

    init() {}

    /// A table from a store.
    init(_ kept: [BroadcastChannel], nextOrdinal: UInt64) {
        for channel in kept.sorted(by: { $0.ordinal < $1.ordinal }) {
            channels[channel.id] = channel
            owned[Owner(app: channel.app, environment: channel.environment), default: []].append(channel.id)
        }
        self.nextOrdinal = max(nextOrdinal, (kept.map(\.ordinal).max() ?? 0) + (kept.isEmpty ? 0 : 1))
    }

    var ids: Dictionary<ChannelID, BroadcastChannel>.Keys { channels.keys }

    var count: Int { channels.count }

    /// A channel by its id, of any app and environment.
    subscript(id: ChannelID) -> BroadcastChannel? {
        _read { yield channels[id] }
        _modify {
            touched?.insert(id)
            yield &channels[id]
        }
    }

    func channel(_ id: ChannelID, of app: String, in environment: APNSEnvironment) -> BroadcastChannel? {
        guard let channel = channels[id], channel.app == app, channel.environment == environment else { return nil }
        return channel
    }

    func ids(of app: String, in environment: APNSEnvironment) -> [ChannelID] {
        owned[Owner(app: app, environment: environment)] ?? []
    }

    func all(in environment: APNSEnvironment) -> [BroadcastChannel] {
        channels.values.filter { $0.environment == environment }.sorted { $0.ordinal < $1.ordinal }
    }

    mutating func create(
        _ id: ChannelID, app: String, in environment: APNSEnvironment, _ policy: BroadcastChannel.StoragePolicy,
        at now: Int64
    ) {
        touched?.insert(id)
        channels[id] = BroadcastChannel(
            id: id, app: app, environment: environment, storagePolicy: policy, createdAt: now, ordinal: nextOrdinal)
        owned[Owner(app: app, environment: environment), default: []].append(id)
        nextOrdinal += 1
    }

    /// - Returns: The deleted channel.
    mutating func delete(_ id: ChannelID) -> BroadcastChannel? {
        guard let channel = channels.removeValue(forKey: id) else { return nil }
        touched?.insert(id)
        let owner = Owner(app: channel.app, environment: channel.environment)
        owned[owner]?.removeAll { $0 == id }
        if owned[owner]?.isEmpty ?? false { owned[owner] = nil }
        return channel
    }

    /// Removes the messages whose storage time is over.
    ///
    /// - Returns: What was removed, oldest first, and when the next message expires.
    mutating func expire(at now: Int64) -> (expired: [Broadcast], next: Int64) {
        var (expired, next): ([Broadcast], Int64) = ([], .max)
        for (id, channel) in channels {
            guard let stored = channel.stored else { continue }
            if stored.expiresAt <= now {
                expired.append(stored.broadcast)
                touched?.insert(id)
                channels[id]?.stored = nil
            } else {
                next = min(next, stored.expiresAt)
            }
        }
        return (expired.sorted { $0.sequence < $1.sequence }, next)
    }
}
