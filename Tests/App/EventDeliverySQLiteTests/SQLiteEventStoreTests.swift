import EventDelivery
import Foundation
import GRDB
import TestSeeds
import Testing

@testable import EventDeliverySQLite

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

@Suite(.timeLimit(.minutes(2)))
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
        for page in stride(from: 0, to: size / 4_096, by: 2) {
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
        #expect(taken.count >= size / 4_096 / 2 - 2)
    }

    private func write(_ sequences: [Int64], _ file: String, state: [UInt8]? = nil) throws {
        let store = SQLiteEventStore(file: file)
        _ = try store.load()
        try store.commit(changes(sequences.map { event($0, bodyBytes: 200) }, state: state))
        try store.synchronize()
    }

    /// The numbers of the pages with events.
    private func leaves(_ bytes: Data) -> [Int] {
        (1..<bytes.count / 4_096).filter { page in
            // A leaf of a table with many cells.
            bytes[page * 4_096] == 0x0d && bytes[page * 4_096 + 4] > 5
        }
    }

    @Test func `high numbers with gaps behind a damaged page are taken over`() throws {
        let folder = try StoreFolder()
        let file = folder.file("events")
        let sequences = (10_000..<10_200).map { Int64($0) } + (5_000_000..<5_000_200).map { Int64($0) }
        try write(sequences, file)
        let whole = try Data(contentsOf: URL(fileURLWithPath: file))
        let leaves = leaves(whole)
        #expect(leaves.count > 20)
        for (name, damaged) in [
            ("first", [leaves[0]]), ("last", [leaves[leaves.count - 1]]),
            ("both", [leaves[0], leaves[leaves.count - 1]]),
            ("between", [leaves[3], leaves[leaves.count / 2], leaves[leaves.count - 4]]),
        ] {
            var bytes = whole
            for page in damaged { bytes.replaceSubrange(page * 4_096..<(page + 1) * 4_096, with: Data(count: 4_096)) }
            try bytes.write(to: URL(fileURLWithPath: folder.file(name)))
            let found = try contents(SQLiteEventStore(file: folder.file(name)))
            #expect(found.recovery?.events == found.events.count)
            #expect(found.events.count > 400 - damaged.count * 20, "\(name)")
            #expect(found.events == found.events.sorted())
        }
    }

    @Test(arguments: [
        "UPDATE event SET purpose = NULL WHERE sequence = 3", "UPDATE event SET flags = flags | 2 WHERE sequence = 3",
        "UPDATE event SET purpose = x'70' WHERE sequence = 3", "UPDATE event SET \"group\" = 7 WHERE sequence = 3",
        "UPDATE event SET purpose = 'other' WHERE sequence = 3", "UPDATE event SET body = x'31' WHERE sequence = 3",
        "UPDATE event SET sequence = -3 WHERE sequence = 3", "UPDATE event SET priority = 9 WHERE sequence = 3",
    ])
    func `a changed row is damage, and no other event`(sql: String) throws {
        let folder = try StoreFolder()
        let file = folder.file("events")
        try write([1, 3, 5], file)
        do {
            let queue = try DatabaseQueue(path: file)
            try queue.write { try $0.execute(sql: sql) }
        }
        let store = SQLiteEventStore(file: file)
        _ = try store.load()
        #expect(throws: EventStoreError.self) { try store.readAll { _ in } }
        let found = try contents(store)
        #expect(found.events == [1, 5] && found.recovery?.events == 2)
    }

    @Test func `a changed state is damage`() throws {
        let folder = try StoreFolder()
        let file = folder.file("events")
        try write([1], file, state: [7])
        do {
            let queue = try DatabaseQueue(path: file)
            try queue.write { try $0.execute(sql: "UPDATE state SET value = x'08'") }
        }
        let found = try contents(SQLiteEventStore(file: file))
        #expect(found.events == [1] && found.state == nil && found.recovery != nil)
    }

    @Test func `a recovery is returned until a state is stored, also by later processes`() throws {
        let folder = try StoreFolder()
        let file = folder.file("events")
        try write([1, 2], file, state: [7])
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: file))
        try handle.truncate(atOffset: UInt64(try Data(contentsOf: URL(fileURLWithPath: file)).count - 1))
        try handle.close()
        let first = try contents(SQLiteEventStore(file: file)).recovery
        #expect(first?.setAside == file + "-aside-1")
        do {
            let store = SQLiteEventStore(file: file)
            #expect(try contents(store).recovery == first)
            try store.commit(changes([event(20)]))
        }
        let store = SQLiteEventStore(file: file)
        #expect(try contents(store).recovery == first)
        try store.commit(changes([], state: [5]))
        #expect(try contents(store).recovery == nil)
    }

    @Test func `a log without its file is set aside`() throws {
        let folder = try StoreFolder()
        let file = folder.file("events")
        let copy = folder.file("copy")
        let store = SQLiteEventStore(file: file)
        _ = try store.load()
        try store.commit(changes([event(1)]))
        try Data().write(to: URL(fileURLWithPath: copy))
        try FileManager.default.copyItem(atPath: file + "-wal", toPath: copy + "-wal")
        let log = try Data(contentsOf: URL(fileURLWithPath: copy + "-wal"))
        #expect(!log.isEmpty)
        let recovery = try #require(try contents(SQLiteEventStore(file: copy)).recovery)
        #expect(try Data(contentsOf: URL(fileURLWithPath: recovery.setAside + "-wal")) == log)
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

    // APNS_SEEDS=100 tries a hundred times as many kills.
    @Test(arguments: TestSeed.all([5]))
    func `what was committed is there after each of 6 kills`(seed: TestSeed) async throws {
        let folder = try StoreFolder()
        let file = folder.file("events")
        var random = seed.generator
        var last: Int64 = 0
        for _ in 0..<6 {
            let run = try await CrashWriter(["write", "sqlite", file])
                .runAndKill(afterTurns: .random(in: 0...120, using: &random), .random(in: 0...1_000, using: &random))
            #expect(run.wasKilled)
            let found = try contents(SQLiteEventStore(file: file))
            let least = max(last, run.stored)
            last = found.events.last ?? 0
            // A turn that was committed and not reported may be there too.
            #expect(found.recovery == nil && (last == least || last == least + 1))
            #expect(found.events == Array((found.events.first ?? 1)...max(1, last)) || last == 0)
        }
        #expect(last > 6)
    }

    #if os(Linux)
        static let faults = ["write", "size"]
    #else
        static let faults = ["size"]
    #endif

    @Test(arguments: faults)
    func `a disk that fails is reported, and what is stored can be read`(fault: String) async throws {
        for number in fault == "size" ? [60_000] : [1, 2, 51] {
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
