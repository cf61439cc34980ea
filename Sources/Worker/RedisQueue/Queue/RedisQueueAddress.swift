package import PushQueue
package import RedisClient

/// Where a queue is: a server, and the names of its keys.
package struct RedisQueueAddress: Sendable {
    package var server: RedisConfiguration
    package var prefix = "push"
    /// How many streams each lane has. All workers and producers of a queue should agree; stream 0 always exists.
    package var shards = 1
    /// How many replicas must have a job before `enqueue` returns.
    package var replicas = 0

    package init(server: RedisConfiguration) { self.server = server }

    /// Reads a URL as `RedisURL` does, with `prefix`, `shards` and `wait` in its query.
    package init(url: String) throws(QueueError) {
        let parsed: RedisURL
        do {
            parsed = try RedisURL(url)
        } catch {
            throw QueueError(error, nil)
        }
        self.init(server: parsed.configuration)
        for (name, value) in parsed.others {
            switch name {
            case "prefix":
                guard (1...64).contains(value.utf8.count), value.utf8.allSatisfy(RedisQueueAddress.isAllowed) else {
                    throw QueueError(
                        .badAddress,
                        "prefix in the URL of the queue must be 1 to 64 letters, digits and the characters .:_-{}",
                        isTemporary: false)
                }
                prefix = value
            case "shards": shards = try RedisQueueAddress.number(name, value, 1...64)
            case "wait": replicas = try RedisQueueAddress.number(name, value, 0...16)
            default:
                throw QueueError(
                    .badAddress,
                    "the URL of the queue has an unknown option; it may have prefix, shards, wait, ca, password-file, sentinel, "
                        + "sentinel-user and sentinel-password-file", isTemporary: false)
            }
        }
    }

    private static func number(_ name: String, _ text: String, _ range: ClosedRange<Int>) throws(QueueError) -> Int {
        guard let number = Int(text), range.contains(number) else {
            throw QueueError(
                .badAddress, "\(name) in the URL of the queue must be from \(range.lowerBound) to \(range.upperBound)",
                isTemporary: false)
        }
        return number
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: ".:_-{}".utf8.contains(byte)
        }
    }

    func key(_ lane: LaneName, _ shard: Int) -> String { "\(prefix):jobs:\(lane):\(shard)" }
    func keys(_ lane: LaneName) -> [String] { (0..<shards).map { key(lane, $0) } }

    /// Lane and stream of a key.
    func lane(ofKey key: String) -> LaneName? {
        let start = "\(prefix):jobs:"
        guard key.hasPrefix(start), let colon = key.lastIndex(of: ":") else { return nil }
        let rest = key[key.index(key.startIndex, offsetBy: start.count)...]
        guard colon > rest.startIndex, Int(key[key.index(after: colon)...]) != nil else { return nil }
        return LaneName(rest[..<colon])
    }
}
