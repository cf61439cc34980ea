public import EventDelivery
public import Foundation
import PushDispatch

/// Keeps the last good reply of each query. What cannot be kept or read is missing: it is only a cache.
public protocol DeliveryCache: Sendable {
    func entries(for key: String) -> CachedEntries?
    func keep(_ entries: CachedEntries, for key: String)

    /// Replaces what is kept where `change` returns something. A cache without it does not follow pushes about entries.
    func update(_ change: (_ key: String, CachedEntries) -> CachedEntries?)
}

extension DeliveryCache {
    public func update(_ change: (_ key: String, CachedEntries) -> CachedEntries?) {}
}

/// A reply, and when it came.
public struct CachedEntries: Hashable, Sendable {
    public var reply: DeliveryReply
    public var time: EventTime
    /// The service's name of this version, if the reply is a single page: with it the service says that nothing has changed
    /// instead of sending the same again.
    public var entityTag: String?

    public init(reply: DeliveryReply, time: EventTime, entityTag: String? = nil) {
        self.reply = reply
        self.time = time
        self.entityTag = entityTag
    }

    /// As a text that a file can keep.
    var bytes: [UInt8] {
        JSONValue.object([
            "time": .integer(time.milliseconds), "entityTag": entityTag.map { .string($0) } ?? .null,
            "items": .array(reply.items.map(\.json)), "includes": ["All": .array(reply.includes.map(\.json))],
        ]).compactBytes
    }

    init?(bytes: [UInt8], maximumBytes: Int) {
        guard let reply = try? DeliveryReply.read(bytes, maximumBytes: maximumBytes),
            let value = try? JSONReader.read(
                bytes,
                limits: JSONLimits(
                    maximumBytes: maximumBytes, maximumDepth: DeliveryReply.maximumDepth,
                    maximumValues: max(1, maximumBytes / 4))),
            let time = value.object?["time"]?.wholeNumber
        else { return nil }
        self.init(
            reply: reply, time: EventTime(milliseconds: Int64(time)), entityTag: value.object?["entityTag"]?.string)
    }
}

/// Keeps replies in memory.
///
/// `@unchecked Sendable` because the lock protects everything.
public final class MemoryDeliveryCache: DeliveryCache, @unchecked Sendable {
    /// The oldest of more are dropped.
    private let maximumQueries: Int
    private let lock = NSLock()
    private var kept: [String: CachedEntries] = [:]
    /// The least recently kept first.
    private var order: [String] = []

    public init(maximumQueries: Int = 50) { self.maximumQueries = max(1, maximumQueries) }

    public func entries(for key: String) -> CachedEntries? { lock.withLock { kept[key] } }

    public func keep(_ entries: CachedEntries, for key: String) {
        lock.withLock {
            order.removeAll { $0 == key }
            order.append(key)
            kept[key] = entries
            while order.count > maximumQueries { kept[order.removeFirst()] = nil }
        }
    }

    public func update(_ change: (_ key: String, CachedEntries) -> CachedEntries?) {
        lock.withLock {
            for (key, entries) in kept { if let changed = change(key, entries) { kept[key] = changed } }
        }
    }
}

/// Keeps each reply in a file of a folder of its own, so that entries can be shown offline at the next start.
///
/// The files may be deleted at any time; a folder in the system's caches is right.
///
/// `@unchecked Sendable` because the lock protects the files.
public final class FileDeliveryCache: DeliveryCache, @unchecked Sendable {
    private let folder: URL
    private let maximumQueries: Int
    private let maximumBytes: Int
    private let lock = NSLock()

    /// - Parameters:
    ///   - folder: It is created if it is missing, and has no other files.
    ///   - maximumBytes: Of one reply; larger ones are not kept.
    public init(folder: URL, maximumQueries: Int = 50, maximumBytes: Int = 32 << 20) {
        self.folder = folder
        self.maximumQueries = max(1, maximumQueries)
        self.maximumBytes = maximumBytes
    }

    public func entries(for key: String) -> CachedEntries? {
        lock.withLock {
            guard let kept = read(file(key)), kept.key == key else { return nil }
            return kept.entries
        }
    }

    /// Nil for a file that cannot be read. Call it with the lock.
    private func read(_ file: URL) -> (key: String, entries: CachedEntries)? {
        guard let data = try? Data(contentsOf: file), let line = data.firstIndex(of: UInt8(ascii: "\n")),
            let entries = CachedEntries(bytes: Array(data[(line + 1)...]), maximumBytes: maximumBytes)
        else { return nil }
        return (String(decoding: data[..<line], as: UTF8.self), entries)
    }

    public func keep(_ entries: CachedEntries, for key: String) {
        // The key stands in the file, because two keys can have one name.
        guard !key.utf8.contains(UInt8(ascii: "\n")), let data = data(entries, for: key) else { return }
        lock.withLock {
            try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try? data.write(to: file(key), options: .atomic)
            removeOldest()
        }
    }

    public func update(_ change: (_ key: String, CachedEntries) -> CachedEntries?) {
        lock.withLock {
            let files = try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            for file in files ?? [] {
                guard let kept = read(file), let changed = change(kept.key, kept.entries) else { continue }
                // A reply that became too large is missing, and not an old one.
                guard let data = data(changed, for: kept.key) else {
                    try? FileManager.default.removeItem(at: file)
                    continue
                }
                try? data.write(to: file, options: .atomic)
            }
        }
    }

    /// The bytes of a file; nil for too many.
    private func data(_ entries: CachedEntries, for key: String) -> Data? {
        let bytes = Array(key.utf8) + [UInt8(ascii: "\n")] + entries.bytes
        return bytes.count <= maximumBytes ? Data(bytes) : nil
    }

    private func removeOldest() {
        let keys: Set<URLResourceKey> = [.contentModificationDateKey]
        guard
            let files = try? FileManager.default.contentsOfDirectory(
                at: folder, includingPropertiesForKeys: Array(keys)), files.count > maximumQueries
        else { return }
        let dated = files.map { file in
            (file, (try? file.resourceValues(forKeys: keys))?.contentModificationDate ?? .distantPast)
        }
        for (file, _) in dated.sorted(by: { $0.1 < $1.1 }).prefix(files.count - maximumQueries) {
            try? FileManager.default.removeItem(at: file)
        }
    }

    private func file(_ key: String) -> URL { folder.appendingPathComponent(FileDeliveryCache.name(key)) }

    /// FNV-1a with 64 bits, in hexadecimal digits.
    private static func name(_ key: String) -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in key.utf8 {
            hash = (hash ^ UInt64(byte)).multipliedReportingOverflow(by: 0x0000_0100_0000_01b3).partialValue
        }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits + ".entries"
    }
}
