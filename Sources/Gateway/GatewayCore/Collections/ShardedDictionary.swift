/// A dictionary in parts, which are chosen by the hash of the key.
///
/// A world is copied for an export, and the first change afterwards happens under the world's lock: it copies one part, not
/// all entries. A part also grows alone.
struct ShardedDictionary<Key: Hashable, Value> {
    /// A key whose bytes are hashed once, for the part and for the place in it.
    struct HashedKey: Hashable {
        let key: Key
        let hash: Int

        init(_ key: Key) {
            self.key = key
            hash = key.hashValue
        }

        static func == (left: HashedKey, right: HashedKey) -> Bool { left.hash == right.hash && left.key == right.key }

        func hash(into hasher: inout Hasher) { hasher.combine(hash) }

        /// The number of its part.
        var shard: Int { Int(UInt(bitPattern: hash) >> (UInt.bitWidth - bits)) }
    }

    private static var bits: Int { 8 }
    static var shardCount: Int { 1 << bits }

    /// None before the first entry, so that an empty dictionary needs no memory.
    private(set) var shards: [[HashedKey: Value]] = []
    private(set) var count = 0

    subscript(key: Key) -> Value? {
        get {
            guard !shards.isEmpty else { return nil }
            let key = HashedKey(key)
            return shards[key.shard][key]
        }
        _modify {
            if shards.isEmpty { shards = Array(repeating: [:], count: Self.shardCount) }
            let key = HashedKey(key)
            let before = shards[key.shard].count
            defer { count += shards[key.shard].count - before }
            yield &shards[key.shard][key]
        }
    }

    mutating func removeValue(forKey key: Key) -> Value? {
        guard !shards.isEmpty else { return nil }
        let key = HashedKey(key)
        guard let removed = shards[key.shard].removeValue(forKey: key) else { return nil }
        count -= 1
        return removed
    }

    /// In no particular order.
    var keys: [Key] { shards.flatMap { $0.keys.map(\.key) } }
}

extension ShardedDictionary.HashedKey: Sendable where Key: Sendable {}
extension ShardedDictionary: Sendable where Key: Sendable, Value: Sendable {}
