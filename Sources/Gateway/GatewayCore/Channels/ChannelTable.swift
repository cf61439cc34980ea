import APNSModel

/// The channels of a world, in both environments.
struct ChannelTable: Sendable {
    private struct Owner: Hashable {
        let app: String
        let environment: APNSEnvironment
    }

    private(set) var channels = ShardedDictionary<ChannelID, BroadcastChannel>()
    /// In the order in which they were created.
    private var owned: [Owner: [ChannelID]] = [:]
    private var order = OrdinalIndex<ChannelID>()
    private(set) var nextOrdinal: UInt64 = 0
    /// The memory of all channels in bytes.
    private(set) var heldBytes = 0
    /// The channels that changed since the store took them; nil without a store.
    var touched: Set<ChannelID>?

    init() {}

    /// A table from a store.
    init(_ kept: [BroadcastChannel], nextOrdinal: UInt64) {
        for channel in kept.sorted(by: { $0.ordinal < $1.ordinal }) {
            channels[channel.id] = channel
            owned[Owner(app: channel.app, environment: channel.environment), default: []].append(channel.id)
            order.append(channel.id, channel.ordinal)
            heldBytes += channel.heldBytes
        }
        self.nextOrdinal = max(nextOrdinal, (kept.map(\.ordinal).max() ?? 0) + (kept.isEmpty ? 0 : 1))
    }

    /// In no particular order.
    var ids: [ChannelID] { channels.keys }

    var count: Int { channels.count }

    /// A channel by its id, of any app and environment.
    subscript(id: ChannelID) -> BroadcastChannel? {
        _read { yield channels[id] }
        _modify {
            touched?.insert(id)
            let before = channels[id]?.heldBytes ?? 0
            yield &channels[id]
            heldBytes += (channels[id]?.heldBytes ?? 0) - before
        }
    }

    func channel(_ id: ChannelID, of app: String, in environment: APNSEnvironment) -> BroadcastChannel? {
        guard let channel = channels[id], channel.app == app, channel.environment == environment else { return nil }
        return channel
    }

    func ids(of app: String, in environment: APNSEnvironment) -> [ChannelID] {
        owned[Owner(app: app, environment: environment)] ?? []
    }

    /// The first channels in the order in which they were created.
    ///
    /// - Parameters:
    ///   - app: Only those of the app with this bundle id; nil for all.
    ///   - ordinal: Only channels created after the one with this ordinal; nil for all.
    func channels(
        in environment: APNSEnvironment, of app: String?, after ordinal: UInt64?, limit: Int
    ) -> [BroadcastChannel] {
        let found = order.elements(after: ordinal, limit: limit) { id, ordinal in
            guard let channel = channels[id], channel.ordinal == ordinal else { return false }
            return channel.environment == environment && app.map { channel.app == $0 } ?? true
        }
        return found.compactMap { channels[$0] }
    }

    func count(in environment: APNSEnvironment, of app: String?) -> Int {
        owned.reduce(0) { count, owner in
            let isMeant = owner.key.environment == environment && app.map { owner.key.app == $0 } ?? true
            return isMeant ? count + owner.value.count : count
        }
    }

    mutating func create(
        _ id: ChannelID, app: String, in environment: APNSEnvironment, _ policy: BroadcastChannel.StoragePolicy,
        at now: Int64
    ) {
        touched?.insert(id)
        let channel = BroadcastChannel(
            id: id, app: app, environment: environment, storagePolicy: policy, createdAt: now, ordinal: nextOrdinal)
        channels[id] = channel
        heldBytes += channel.heldBytes
        order.append(id, nextOrdinal)
        owned[Owner(app: app, environment: environment), default: []].append(id)
        nextOrdinal += 1
    }

    /// - Returns: The deleted channel.
    mutating func delete(_ id: ChannelID) -> BroadcastChannel? {
        guard let channel = channels.removeValue(forKey: id) else { return nil }
        touched?.insert(id)
        heldBytes -= channel.heldBytes
        order.noteRemoval { [channels] in channels[$0]?.ordinal == $1 }
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
        for shard in channels.shards {
            for (hashed, channel) in shard {
                guard let stored = channel.stored else { continue }
                let id = hashed.key
                if stored.expiresAt <= now {
                    expired.append(stored.broadcast)
                    touched?.insert(id)
                    channels[id]?.stored = nil
                    heldBytes -= stored.heldBytes
                } else {
                    next = min(next, stored.expiresAt)
                }
            }
        }
        return (expired.sorted { $0.sequence < $1.sequence }, next)
    }
}
