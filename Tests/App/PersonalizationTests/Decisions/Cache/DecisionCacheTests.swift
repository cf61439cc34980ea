import EventDelivery
import Foundation
import PushDispatch
import Testing

@testable import Personalization

struct DecisionCacheTests {
    private func reply(_ point: String, bytes: Int = 0) throws -> DecisionReply {
        try DecisionReply.read(
            Array(
                (#"{"requestId":"r","personalizations":[{"personalizationId":"p-\#(point)","personalizationPointName":"#
                    + #""\#(point)","own":"\#(String(repeating: "x", count: bytes))"}]}"#).utf8))
    }

    private func key(_ request: String, _ user: String = "u") -> DecisionCache.Key {
        DecisionCache.Key(user: user, request: request)
    }

    @Test func `the entry that was not used for longest goes first`() throws {
        var limits = DecisionCacheLimits()
        limits.maximumEntries = 2
        var cache = DecisionCache(limits: limits)
        cache.keep(try reply("a"), for: key("a"), receivedAt: EventTime(milliseconds: 1))
        cache.keep(try reply("b"), for: key("b"), receivedAt: EventTime(milliseconds: 2))
        let used = cache.use(key("a"))
        #expect(used != nil)
        cache.keep(try reply("c"), for: key("c"), receivedAt: EventTime(milliseconds: 3))
        #expect(cache.byUse.map(\.key.request) == ["a", "c"])
    }

    @Test func `bytes are bounded, and what does not fit alone replaces nothing but its own entry`() throws {
        var limits = DecisionCacheLimits()
        limits.maximumBytes = 1_000
        var cache = DecisionCache(limits: limits)
        for (number, name) in ["a", "b", "c"].enumerated() {
            cache.keep(try reply(name, bytes: 300), for: key(name), receivedAt: EventTime(milliseconds: Int64(number)))
        }
        #expect(cache.byUse.map(\.key.request) == ["b", "c"])
        #expect(cache.bytes <= 1_000 && cache.bytes > 600)
        cache.keep(try reply("b", bytes: 1_000), for: key("b"), receivedAt: EventTime(milliseconds: 4))
        #expect(cache.byUse.map(\.key.request) == ["c"])
        let removed = cache.removeAll()
        #expect(removed == 1)
        #expect(cache.bytes == 0)
    }

    @Test func `a stored cache comes back whole, and newer entries stay`() throws {
        var cache = DecisionCache(limits: DecisionCacheLimits())
        cache.keep(try reply("a"), for: key("a\"\n", "kim"), receivedAt: EventTime(milliseconds: -5))
        cache.keep(try reply("b"), for: key("b"), receivedAt: EventTime(milliseconds: 7))
        var loaded = DecisionCache(limits: DecisionCacheLimits())
        loaded.keep(try reply("new"), for: key("b"), receivedAt: EventTime(milliseconds: 9))
        try loaded.load(cache.encoded())
        #expect(loaded.count == 2)
        let found = loaded.use(key("a\"\n", "kim"))
        let entry = try #require(found)
        let expected = try reply("a")
        #expect(entry.reply == expected && entry.receivedAt == EventTime(milliseconds: -5))
        let newer = loaded.use(key("b"))
        #expect(newer?.reply.decisions[0].point == "new")
        let removed = loaded.keepOnly(user: "kim")
        #expect(removed == 1)
    }

    @Test(arguments: [20_000, .max])
    func `a full cache can be read again, whatever its keys contain`(_ limit: Int) throws {
        var limits = DecisionCacheLimits()
        limits.maximumEntries = 1_000
        limits.maximumBytes = limit
        var cache = DecisionCache(limits: limits)
        for number in 0..<1_000 {
            let user = String(repeating: "\u{1}", count: 150) + "\(number)"
            cache.keep(try reply("a"), for: key("{\"\"}", user), receivedAt: EventTime(milliseconds: .max))
        }
        let stored = cache.encoded()
        #expect(stored.count <= cache.maximumStoredBytes)
        var loaded = DecisionCache(limits: limits)
        try loaded.load(stored)
        #expect(loaded.count == cache.count && loaded.count > 10)
    }

    @Test func `every changed or missing byte is found`() throws {
        var cache = DecisionCache(limits: DecisionCacheLimits())
        cache.keep(try reply("a"), for: key("a"), receivedAt: EventTime(milliseconds: 1))
        let stored = cache.encoded()
        var fresh = DecisionCache(limits: DecisionCacheLimits())
        for index in stored.indices {
            var changed = stored
            changed[index] ^= 1
            #expect(throws: DecisionCache.Damage.self) { try fresh.load(changed) }
            #expect(throws: DecisionCache.Damage.self) { try fresh.load(Array(stored[..<index])) }
        }
        #expect(fresh.count == 0)
        let text = String(decoding: stored, as: UTF8.self)
        let later = text.replacingOccurrences(of: "personalization-decisions 1", with: "personalization-decisions 2")
        #expect(throws: DecisionCache.Damage(detail: "is of another version of this library")) {
            try fresh.load(Array(later.utf8))
        }
    }
}

/// The store in a file, and what a client does when it fails.
struct DecisionStoreTests {
    private final class Folder: Sendable {
        let url: URL

        init() throws {
            url = FileManager.default.temporaryDirectory.appendingPathComponent("decisions-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        }

        deinit { try? FileManager.default.removeItem(at: url) }

        func file(_ name: String) -> String { url.appendingPathComponent(name).path }
        var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: url.path).sorted()) ?? [] }
    }

    @Test func `a cached reply outlives the process, for its user only`() async throws {
        let folder = try Folder()
        let store = FileDecisionStore(file: folder.file("cache"))
        let first = try DecisionWorld(store: store)
        await first.begin(.kim)
        _ = try await first.client.fetchDecisions(["a"])
        let mode = try FileManager.default.attributesOfItem(atPath: folder.file("cache"))[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(folder.names == ["cache"])

        let second = try DecisionWorld(store: store)
        await second.begin(.kim)
        await second.client.networkChanged(isOnline: false)
        #expect(try await second.client.fetchDecisions(["a"])["a"]?.personalizationID == "1-a")

        let third = try DecisionWorld(store: store)
        await third.begin(.lee)
        #expect(await third.client.cachedDecisions(["a"]).source == .default)
        #expect(folder.names.isEmpty)
    }

    @Test func `a damaged file is set aside and reported, and removed at log-out`() async throws {
        let folder = try Folder()
        try Data("garbage".utf8).write(to: URL(fileURLWithPath: folder.file("cache")))
        let world = try DecisionWorld(store: FileDecisionStore(file: folder.file("cache")))
        await world.begin(.kim)
        #expect(world.log.all.contains(.cacheDamaged(movedTo: folder.file("cache.damaged"))))
        _ = try await world.client.fetchDecisions(["a"])
        #expect(folder.names == ["cache", "cache.damaged"])
        await world.client.identityChanged(to: .anonymous)
        #expect(folder.names.isEmpty)
    }

    @Test func `without a folder the cache works in memory, and the failure is reported once`() async throws {
        let folder = try Folder()
        let world = try DecisionWorld(store: FileDecisionStore(file: folder.file("none/cache")))
        await world.begin()
        _ = try await world.client.fetchDecisions(["a"])
        _ = try await world.client.fetchDecisions(["b"])
        #expect(await world.client.cachedDecisions(["a"]).source == .cache)
        let failures = world.log.all.filter { if case .storeFailed = $0 { true } else { false } }
        #expect(failures.count == 1)
    }

    @Test func `a store that cannot be read now is read later, and not replaced before`() async throws {
        let store = LockedStore()
        let first = try DecisionWorld(store: store)
        await first.begin()
        _ = try await first.client.fetchDecisions(["a"])
        store.isLocked = true
        let second = try DecisionWorld(store: store)
        await second.begin()
        second.service.answer { .success(.test($0, number: 2)) }
        _ = try await second.client.fetchDecisions(["b"])
        store.isLocked = false
        #expect(await second.client.cachedDecisions(["a"])["a"]?.personalizationID == "1-a")
        #expect(await second.client.cachedDecisions(["b"])["b"]?.personalizationID == "2-b")
    }

    @Test func `what must go is removed as soon as the store can be written`() async throws {
        let store = LockedStore()
        let world = try DecisionWorld(store: store)
        await world.begin(.kim)
        _ = try await world.client.fetchDecisions(["a"])
        store.isLocked = true
        await world.client.identityChanged(to: .lee)
        #expect(store.bytes != nil)
        store.isLocked = false
        _ = try await world.client.fetchDecisions(["b"])
        let stored = String(decoding: try #require(store.bytes), as: UTF8.self)
        #expect(!stored.contains("1-a") && stored.contains("1-b"))
    }

    /// A store that fails while it is locked, as before the first unlock of a device.
    ///
    /// `@unchecked Sendable` because the lock protects everything.
    private final class LockedStore: DecisionStore, @unchecked Sendable {
        private let lock = NSLock()
        private var stored: [UInt8]?
        private var locked = false

        var isLocked: Bool {
            get { lock.withLock { locked } }
            set { lock.withLock { locked = newValue } }
        }
        var bytes: [UInt8]? { lock.withLock { stored } }

        private func check() throws(DecisionStoreError) {
            if isLocked { throw DecisionStoreError(.readOnly, "is locked") }
        }

        func load(maximumBytes: Int) throws(DecisionStoreError) -> [UInt8]? {
            try check()
            return bytes
        }

        func save(_ bytes: [UInt8]) throws(DecisionStoreError) {
            try check()
            lock.withLock { stored = bytes }
        }

        func setAside() throws(DecisionStoreError) -> String? { nil }

        func erase() throws(DecisionStoreError) {
            try check()
            lock.withLock { stored = nil }
        }
    }
}
