/// A dictionary in parts, which are chosen by the hash of the key.
///
/// A world is copied for an export, and the first change afterwards happens under the world's lock: it copies one part, not
/// all entries. A part also grows alone.
struct ShardedDictionary<Key: Hashable, Value> {
    private static var bits: Int { 8 }
    static var shardCount: Int { 1 << bits }

    /// None before the first entry, so that an empty dictionary needs no memory.
    private(set) var shards: [[Key: Value]] = []
    private(set) var count = 0

    subscript(key: Key) -> Value? {
        get { shards.isEmpty ? nil : shards[Self.place(of: key)][key] }
        _modify {
            if shards.isEmpty { shards = Array(repeating: [:], count: Self.shardCount) }
            let place = Self.place(of: key)
            let before = shards[place].count
            defer { count += shards[place].count - before }
            yield &shards[place][key]
        }
    }

    mutating func removeValue(forKey key: Key) -> Value? {
        guard !shards.isEmpty, let removed = shards[Self.place(of: key)].removeValue(forKey: key) else { return nil }
        count -= 1
        return removed
    }

    /// In no particular order.
    var keys: [Key] { shards.flatMap { $0.keys } }

    /// The upper bits, because a dictionary places its entries by the lower ones.
    @inline(__always)
    private static func place(of key: Key) -> Int {
        Int(UInt(bitPattern: key.hashValue) >> (UInt.bitWidth - bits))
    }
}

extension ShardedDictionary: Sendable where Key: Sendable, Value: Sendable {}
