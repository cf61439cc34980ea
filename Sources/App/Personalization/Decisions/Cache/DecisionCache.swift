import EventDelivery
import PushDispatch

/// The last good replies, bounded in number and bytes.
struct DecisionCache: Sendable {
    /// What a reply is kept by.
    struct Key: Hashable, Sendable {
        var user: String
        /// The request in its canonical form: person, data space, set of points, context and flags.
        var request: String

        init(user: String, request: String) {
            self.user = user
            self.request = request
        }

        /// - Throws: `requestInvalid`.
        init(_ request: DecisionRequest, of identity: IdentitySnapshot) throws(DecisionError) {
            var request = request
            request.context = request.context.withoutTracing
            request.points.sort { $0.precedesByBytes($1) }
            request.flags.remove(.enableDiagnostics)
            user = Key.user(identity)
            self.request = String(decoding: try request.encoded(), as: UTF8.self)
        }

        /// The same text for the same person on the same installation, until they log out.
        static func user(_ identity: IdentitySnapshot) -> String {
            let user = identity.userID.map { "\($0.utf8.count):\($0)" } ?? "anonymous"
            return "\(identity.generation)/\(user)/\(identity.deviceID)"
        }
    }

    struct Entry: Hashable, Sendable {
        var reply: DecisionReply
        var receivedAt: EventTime
        /// The reply as it is stored.
        var json: [UInt8]
        /// What it counts against the limit.
        var bytes: Int
        /// Larger than that of each entry that was used before.
        fileprivate(set) var use: UInt64 = 0
    }

    let limits: DecisionCacheLimits
    private var entries: [Key: Entry] = [:]
    private(set) var bytes = 0
    private var uses: UInt64 = 0

    init(limits: DecisionCacheLimits) { self.limits = limits }

    var count: Int { entries.count }

    /// The entries and their keys, the one that was not used for longest first.
    var byUse: [(key: Key, entry: Entry)] {
        entries.sorted { $0.value.use < $1.value.use }.map { ($0.key, $0.value) }
    }

    /// A reply; it counts as used now.
    mutating func use(_ key: Key) -> Entry? {
        guard entries[key] != nil else { return nil }
        uses += 1
        entries[key]?.use = uses
        return entries[key]
    }

    func age(of key: Key, at time: EventTime) -> Int64? {
        entries[key].map { max(0, time.milliseconds - $0.receivedAt.milliseconds) }
    }

    /// Keeps a reply, and removes others until the limits hold. A reply that does not fit alone is not kept, and an older
    /// one is still removed.
    mutating func keep(_ reply: DecisionReply, for key: Key, receivedAt: EventTime) {
        remove(key)
        let json = DecisionCache.json(reply)
        let size = json.count + key.user.utf8.count + key.request.utf8.count
        guard size <= limits.maximumBytes, limits.maximumEntries > 0 else { return }
        while entries.count >= limits.maximumEntries || bytes + size > limits.maximumBytes {
            guard let oldest = entries.min(by: { $0.value.use < $1.value.use })?.key else { break }
            remove(oldest)
        }
        uses += 1
        bytes += size
        entries[key] = Entry(reply: reply, receivedAt: receivedAt, json: json, bytes: size, use: uses)
    }

    mutating func removeAll() -> Int {
        defer {
            entries = [:]
            bytes = 0
        }
        return entries.count
    }

    /// - Returns: How many entries of others were removed.
    mutating func keepOnly(user: String) -> Int {
        let others = entries.keys.filter { $0.user != user }
        for key in others { remove(key) }
        return others.count
    }

    private mutating func remove(_ key: Key) {
        if let entry = entries.removeValue(forKey: key) { bytes -= entry.bytes }
    }

    func contains(_ key: Key) -> Bool { entries[key] != nil }
}
