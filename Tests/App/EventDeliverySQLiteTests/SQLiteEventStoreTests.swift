import EventDelivery
import EventDeliverySQLite
import Foundation
import GRDB
import Testing

/// What a store contains, read by a new store.
func contents(_ store: some EventStore) throws -> (events: [Int64], state: [UInt8]?, recovery: StoreRecovery?) {
    let contents = try store.load()
    var events: [Int64] = []
    try store.readAll { events.append($0.sequence) }
    return (events, contents.state, contents.recovery)
}

private func event(_ number: Int64, bodyBytes: Int = 20) -> StoredEvent {
    let stamp = EventStamp(id: EventID(), time: EventTime(milliseconds: number))
    return StoredEvent(
        sequence: number,
        event: CapturedEvent(
            stamp, kind: "kind", to: "a", purpose: "p", group: "g", priority: .high, holdsOrder: true,
            body: [UInt8](repeating: UInt8(ascii: "x"), count: bodyBytes)),
        isRecord: number % 2 == 0)
}

private func changes(_ append: [StoredEvent], remove: [Int64] = [], state: [UInt8]? = nil) -> StoreChanges {
    var changes = StoreChanges()
    changes.append = append
    changes.remove = remove
    changes.state = state
    return changes
}

final class StoreFolder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("events-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func file(_ name: String) -> String { url.appendingPathComponent(name).path }
}

struct SQLiteEventStoreTests {
    private func code(_ file: String) -> EventStoreError.Code? {
        do {
            _ = try SQLiteEventStore(file: file).load()
            return nil
        } catch {
            return (error as? EventStoreError)?.code
        }
    }

    @Test func `everything is there after the process has ended`() throws {
        let folder = try StoreFolder()
        let file = folder.file("events")
        let events = (1...4).map { event(Int64($0), bodyBytes: $0 == 4 ? 0 : 20) }
        do {
            let store = SQLiteEventStore(file: file)
            _ = try store.load()
            for event in events { try store.commit(changes([event])) }
            try store.commit(changes([event(5)], remove: [1, 2, 99], state: [1, 2]))
            try store.synchronize()
            #expect(code(file) == .busy)
        }
        let other = SQLiteEventStore(file: file)
        let found = try contents(other)
        #expect(found.events == [3, 4, 5] && found.state == [1, 2] && found.recovery == nil)
        #expect(try other.events([4, 1, 3]) == [events[3], events[2]])
        let attributes = try FileManager.default.attributesOfItem(atPath: file)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test func `what is erased is in no file any more`() throws {
        let folder = try StoreFolder()
        let store = SQLiteEventStore(file: folder.file("events"))
        _ = try store.load()
        var kept = event(1)
        kept.event.body = Array("kept-text".utf8)
        var erased = event(2)
        erased.event.body = Array("erased-text".utf8)
        try store.commit(changes([kept]))
        try store.commit(changes([erased]))
        var removal = changes([], remove: [2])
        removal.erases = true
        try store.commit(removal)
        var all = Data()
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.url.path) {
            all += try Data(contentsOf: folder.url.appendingPathComponent(name))
        }
        #expect(all.range(of: Data("kept-text".utf8)) != nil)
        #expect(all.range(of: Data("erased-text".utf8)) == nil)
    }

    @Test func `files that it cannot use are named and not changed`() throws {
        let folder = try StoreFolder()
        #expect(code(folder.file("missing/events")) == .unusable)
        #expect(code(folder.url.path) == .unusable)
        do {
            let queue = try DatabaseQueue(path: folder.file("foreign"))
            try queue.write { try $0.execute(sql: "CREATE TABLE other (a)") }
        }
        let foreign = try Data(contentsOf: URL(fileURLWithPath: folder.file("foreign")))
        #expect(code(folder.file("foreign")) == .foreign)
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file("foreign"))) == foreign)
        #expect(code(folder.file("newer")) == nil)
        do {
            let queue = try DatabaseQueue(path: folder.file("newer"))
            try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA user_version = 2") }
        }
        #expect(code(folder.file("newer")) == .newerVersion)
    }

    @Test func `a damaged page is set aside, and the events of the others are taken over`() throws {
        let folder = try StoreFolder()
        let file = folder.file("events")
        do {
            let store = SQLiteEventStore(file: file)
            _ = try store.load()
            try store.commit(changes((1...400).map { event(Int64($0), bodyBytes: 200) }, state: [7]))
            try store.synchronize()
        }
        let size = try Data(contentsOf: URL(fileURLWithPath: file)).count
        var taken: [Int] = []
        for page in 0..<(size / 4_096) {
            let copy = folder.file("copy")
            var bytes = try Data(contentsOf: URL(fileURLWithPath: file))
            for offset in 0..<64 { bytes[page * 4_096 + 8 + offset] ^= 0x5a }
            try bytes.write(to: URL(fileURLWithPath: copy))
            let store = SQLiteEventStore(file: copy)
            let found = try contents(store)
            #expect(found.events == found.events.sorted())
            if let recovery = found.recovery {
                #expect(recovery.events == found.events.count)
                #expect(try Data(contentsOf: URL(fileURLWithPath: recovery.setAside)) == bytes)
                taken.append(recovery.events)
            }
            try store.commit(changes([event(1_000)]))
            #expect(try contents(store).events == found.events + [1_000])
            SQLiteEventStore.removeDamagedFiles(of: copy)
        }
        #expect(taken.contains { $0 > 350 }, "\(taken)")
        #expect(taken.count >= size / 4_096 - 2)
    }

    @Test func `a file that is cut off is replaced`() throws {
        let folder = try StoreFolder()
        let file = folder.file("events")
        do {
            let store = SQLiteEventStore(file: file)
            _ = try store.load()
            try store.commit(changes((1...100).map { event(Int64($0), bodyBytes: 200) }))
            try store.synchronize()
        }
        let whole = try Data(contentsOf: URL(fileURLWithPath: file))
        for length in [1, 100, 4_096, 5_000, 8_192, whole.count - 1] {
            let copy = folder.file("cut-\(length)")
            try whole.prefix(length).write(to: URL(fileURLWithPath: copy))
            let store = SQLiteEventStore(file: copy)
            #expect(try contents(store).recovery != nil, "\(length)")
            try store.commit(changes([event(1_000)]))
            #expect(try contents(store).events.contains(1_000))
        }
    }

    // A process that is killed, and a disk that fails.

    @Test func `what was committed is there after each of 20 kills`() async throws {
        let folder = try StoreFolder()
        let file = folder.file("events")
        var turns: Set<Int64> = []
        for number in 0..<20 {
            let run = try await CrashWriter(["write", "sqlite", file]).runAndKill(microseconds: UInt32(number * 3_000))
            #expect(run.wasKilled)
            let found = try contents(SQLiteEventStore(file: file))
            let last = found.events.last ?? 0
            #expect(found.recovery == nil && (last == run.stored || last == run.stored + 1 || run.stored == 0))
            #expect(found.events == Array((found.events.first ?? 1)...max(1, last)) || found.events.isEmpty)
            turns.insert(last)
        }
        #expect(turns.count > 5)
    }

    #if os(Linux)
        static let faults = ["write", "size"]
    #else
        static let faults = ["size"]
    #endif

    @Test(arguments: faults)
    func `a disk that fails is reported, and what is stored can be read`(fault: String) async throws {
        for number in fault == "size" ? [60_000, 120_000] : [1, 2, 51, 200] {
            let folder = try StoreFolder()
            let file = folder.file("events")
            let run = try await CrashWriter(["fail", "sqlite", file, fault, String(number)]).run()
            let failure = try #require(run.value("failed"))
            #expect(failure.hasSuffix("[full]") || failure.hasSuffix("[io]"), "\(number): \(failure)")
            #expect(run.value("read") == String(run.stored))
            #expect(try contents(SQLiteEventStore(file: file)).events.last ?? 0 == run.stored)
        }
    }
}
