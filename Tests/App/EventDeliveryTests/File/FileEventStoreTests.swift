import Foundation
import TestSeeds
import Testing

@testable import EventDelivery

/// What a store contains, read by a new store.
func contents(_ store: some EventStore) throws -> (events: [Int], state: [UInt8]?, recovery: StoreRecovery?) {
    let contents = try store.load()
    var events: [Int] = []
    try store.readAll { events.append($0.event.number) }
    return (events, contents.state, contents.recovery)
}

extension StoreChanges {
    init(append: ClosedRange<Int>? = nil, remove: [Int64] = [], state: [UInt8]? = nil, bodyBytes: Int = 0) {
        self.init()
        self.append =
            append?.map { StoredEvent(sequence: Int64($0), event: .test($0, group: "g", bodyBytes: bodyBytes)) } ?? []
        self.remove = remove
        self.state = state
    }
}

@Suite(.timeLimit(.minutes(1)))
struct FileEventStoreTests {
    /// Commits of every kind, and what the store contains after each.
    private static let commits: [(changes: StoreChanges, events: [Int], state: [UInt8]?)] = [
        (StoreChanges(append: 1...1), [1], nil), (StoreChanges(append: 2...4), [1, 2, 3, 4], nil),
        (StoreChanges(remove: [1, 2], state: [7]), [3, 4], [7]), (StoreChanges(append: 5...6), [3, 4, 5, 6], [7]),
        (StoreChanges(append: 7...7, remove: [3], state: [8, 9]), [4, 5, 6, 7], [8, 9]),
    ]

    private static func masks(at offset: Int) -> [UInt8] {
        let all: [UInt8] = [1, 0x80, 0xff]
        return TestSeed.all([0]).count > 1 ? all : [all[offset % 3]]
    }

    private func write(_ file: String) throws -> [Int] {
        let store = FileEventStore(file: file)
        _ = try store.load()
        return try FileEventStoreTests.commits.map { commit in
            try store.commit(commit.changes)
            return try Data(contentsOf: URL(fileURLWithPath: file)).count
        }
    }

    @Test func `everything is there after the process has ended`() throws {
        let folder = try TemporaryFolder()
        let file = folder.file("events")
        _ = try write(file)
        let store = FileEventStore(file: file)
        let (events, state, recovery) = try contents(store)
        #expect(events == [4, 5, 6, 7] && state == [8, 9] && recovery == nil)
        let event = CapturedEvent.test(9, purpose: "p", priority: .high, holdsOrder: true, group: "gruppe ü")
        var changes = StoreChanges()
        changes.append = [StoredEvent(sequence: 9, event: event, isRecord: true)]
        try store.commit(changes)
        #expect(try store.events([9, 8, 4]).map(\.sequence) == [9, 4])
        #expect(try store.events([9]) == changes.append)
        let attributes = try FileManager.default.attributesOfItem(atPath: file)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test func `a file that is cut at any length has every commit before the cut, and works`() throws {
        let folder = try TemporaryFolder()
        let sizes = try write(folder.file("whole"))
        let whole = try Data(contentsOf: URL(fileURLWithPath: folder.file("whole")))
        for length in 0...whole.count {
            let file = folder.file("cut")
            try whole.prefix(length).write(to: URL(fileURLWithPath: file))
            let store = FileEventStore(file: file)
            let found = try contents(store)
            let last = sizes.lastIndex { $0 <= length }
            #expect(found.events == last.map { FileEventStoreTests.commits[$0].events } ?? [], "cut at \(length)")
            #expect(found.state == last.flatMap { FileEventStoreTests.commits[$0].state }, "cut at \(length)")
            #expect(found.recovery == nil, "cut at \(length)")
            try store.commit(StoreChanges(append: 20...20))
            #expect(try contents(FileEventStore(file: file + "x")).events == [])
            #expect(try store.events([20]).count == 1)
            _ = try store.load()
            #expect(try contents(store).events == found.events + [20], "cut at \(length)")
        }
    }

    @Test func `a file with any byte changed is set aside, and what can be read is taken over`() throws {
        let folder = try TemporaryFolder()
        let sizes = [LogHeader.bytes] + (try write(folder.file("whole")))
        let whole = try Data(contentsOf: URL(fileURLWithPath: folder.file("whole")))
        for offset in 0..<whole.count {
            // Each byte once, with masks in turn; with APNS_SEEDS each with all.
            for mask in FileEventStoreTests.masks(at: offset) {
                let file = folder.file("flipped")
                var bytes = whole
                bytes[offset] ^= mask
                try bytes.write(to: URL(fileURLWithPath: file))
                let store = FileEventStore(file: file)
                let found = try contents(store)
                let recovery = try #require(found.recovery, "byte \(offset)")
                #expect(try Data(contentsOf: URL(fileURLWithPath: recovery.setAside)) == bytes)
                // The records before and after the damaged one are there.
                let damaged = sizes.lastIndex { $0 <= offset }
                var expected: Set<Int> = []
                for (index, commit) in FileEventStoreTests.commits.enumerated() where index != damaged {
                    expected.formUnion(commit.changes.append.map(\.event.number))
                    expected.subtract(commit.changes.remove.map { Int($0) })
                }
                #expect(found.events == expected.sorted(), "byte \(offset)")
                #expect(recovery.events == expected.count)
                try store.commit(StoreChanges(append: 20...20, state: [1]))
                let again = try contents(store)
                #expect(again.events == expected.sorted() + [20] && again.recovery == nil, "byte \(offset)")
                FileEventStore.removeDamagedFiles(of: file)
            }
        }
    }

    @Test(arguments: TestSeed.all(1...6))
    func `random damage never crashes, and the store works after it`(seed: TestSeed) throws {
        var random = seed.generator
        let folder = try TemporaryFolder()
        let file = folder.file("events")
        _ = try write(file)
        for _ in 0..<20 {
            var bytes = try Data(contentsOf: URL(fileURLWithPath: file))
            for _ in 0..<Int.random(in: 1...8, using: &random) where bytes.count > 16 {
                let start = Int.random(in: 16..<bytes.count, using: &random)
                let end = min(bytes.count, start + Int.random(in: 0...40, using: &random))
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes.removeSubrange(start..<end)
                case 1: bytes.insert(contentsOf: bytes[start..<end], at: start)
                case 2: for index in start..<end { bytes[index] = 0 }
                default: for index in start..<end { bytes[index] = .random(in: 0...255, using: &random) }
                }
            }
            try bytes.write(to: URL(fileURLWithPath: file))
            let store = FileEventStore(file: file)
            let events = try contents(store).events
            #expect(events == events.sorted())
            try store.commit(StoreChanges(append: 1_000...1_000, remove: [1_000]))
            try store.commit(StoreChanges(append: 30...32))
            #expect(try Set(contents(store).events).isSuperset(of: [30, 31, 32]))
        }
        #expect(FileEventStore.damagedFiles(of: file).count <= 3)
    }

    @Test func `nothing of an interrupted write is left behind a shorter commit`() throws {
        let folder = try TemporaryFolder()
        let file = folder.file("events")
        var size = 0
        do {
            let store = FileEventStore(file: file)
            _ = try store.load()
            try store.commit(StoreChanges(append: 1...1))
            try store.commit(StoreChanges(append: 2...2, bodyBytes: 3_000))
            size = try Data(contentsOf: URL(fileURLWithPath: file)).count
        }
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: file))
        try handle.truncate(atOffset: UInt64(size - 1))
        try handle.close()
        let store = FileEventStore(file: file)
        #expect(try contents(store).events == [1])
        try store.commit(StoreChanges(append: 3...3))
        let found = try contents(store)
        #expect(found.events == [1, 3] && found.recovery == nil)
    }

    @Test func `zeros at the end, as after a loss of power, are cut off`() throws {
        let folder = try TemporaryFolder()
        let file = folder.file("events")
        _ = try write(file)
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: file))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data(count: 5_000))
        try handle.close()
        let found = try contents(FileEventStore(file: file))
        #expect(found.events == [4, 5, 6, 7] && found.recovery == nil)
    }

    @Test func `the file stays small, and a rewriting loses nothing`() throws {
        let folder = try TemporaryFolder()
        let file = folder.file("events")
        let store = FileEventStore(file: file)
        _ = try store.load()
        var largest = 0
        for number in 1...1_000 {
            try store.commit(
                StoreChanges(append: number...number, remove: [Int64(number - 10)], state: [1], bodyBytes: 300))
            let size = try FileManager.default.attributesOfItem(atPath: file)[.size] as? Int
            largest = max(largest, size ?? .max)
        }
        #expect(largest < 150_000)
        let found = try contents(store)
        #expect(found.events == Array(991...1_000) && found.state == [1])
    }

    @Test func `what is erased is not in the file any more`() throws {
        let folder = try TemporaryFolder()
        let file = folder.file("events")
        let store = FileEventStore(file: file)
        _ = try store.load()
        try store.commit(StoreChanges(append: 1...3))
        var changes = StoreChanges(remove: [2])
        changes.erases = true
        try store.commit(changes)
        let text = String(decoding: try Data(contentsOf: URL(fileURLWithPath: file)), as: UTF8.self)
        #expect(text.contains(#"{"n":1}"#) && !text.contains(#"{"n":2}"#))
        #expect(try contents(store).events == [1, 3])
    }

    @Test func `what could not be erased is reported, and erased by the next opening`() throws {
        let folder = try TemporaryFolder()
        let file = folder.file("events")
        do {
            let store = FileEventStore(file: file)
            _ = try store.load()
            try store.commit(StoreChanges(append: 1...3))
            // A rewriting needs a new file of this name.
            try FileManager.default.createDirectory(atPath: file + "-new", withIntermediateDirectories: false)
            var changes = StoreChanges(remove: [2])
            changes.erases = true
            try store.commit(changes)
            #expect(throws: EventStoreError.self) { try store.synchronize() }
            #expect(try store.events([1, 2, 3]).map(\.sequence) == [1, 3])
        }
        try FileManager.default.removeItem(atPath: file + "-new")
        #expect(try Data(contentsOf: URL(fileURLWithPath: file)).range(of: Data(#"{"n":2}"#.utf8)) != nil)
        let store = FileEventStore(file: file)
        #expect(try contents(store).events == [1, 3])
        try store.synchronize()
        #expect(try Data(contentsOf: URL(fileURLWithPath: file)).range(of: Data(#"{"n":2}"#.utf8)) == nil)
    }

    @Test func `a recovery is returned until a state is stored, also by later processes`() throws {
        let folder = try TemporaryFolder()
        let file = folder.file("events")
        _ = try write(file)
        var bytes = try Data(contentsOf: URL(fileURLWithPath: file))
        bytes[bytes.count - 1] ^= 1
        try bytes.write(to: URL(fileURLWithPath: file))
        let first = try contents(FileEventStore(file: file)).recovery
        #expect(first?.setAside == file + "-aside-1" && first?.events == 4)
        do {
            let store = FileEventStore(file: file)
            #expect(try contents(store).recovery == first)
            try store.commit(StoreChanges(append: 20...20))
            // A rewriting keeps it.
            var erasing = StoreChanges(remove: [20])
            erasing.erases = true
            try store.commit(erasing)
        }
        let store = FileEventStore(file: file)
        #expect(try contents(store).recovery == first)
        try store.commit(StoreChanges(state: [5]))
        #expect(try contents(store).recovery == nil)
        #expect(FileEventStore.damagedFiles(of: file) == [file + "-aside-1"])
    }

    @Test func `zeros instead of the header do not make the file unusable`() throws {
        let folder = try TemporaryFolder()
        let sizes = try write(folder.file("whole"))
        var bytes = try Data(contentsOf: URL(fileURLWithPath: folder.file("whole")))
        for offset in 0..<LogHeader.bytes { bytes[offset] = 0 }
        let zeros = Data(count: sizes[4])
        for (name, bytes, events) in [
            ("header", bytes, [4, 5, 6, 7]), ("all", zeros, []), ("short", zeros.prefix(9), []),
            ("only", zeros.prefix(16), []),
        ] {
            try bytes.write(to: URL(fileURLWithPath: folder.file(name)))
            let found = try contents(FileEventStore(file: folder.file(name)))
            #expect(found.events == events && (found.recovery != nil) == (bytes.count > 16), "\(name)")
        }
        try Data("x".utf8).write(to: URL(fileURLWithPath: folder.file("x")))
        #expect(code(folder.file("x")) == .foreign)
    }

    // One owner.

    @Test func `a file that was replaced while it was opened is not taken for the new one`() throws {
        let folder = try TemporaryFolder()
        let file = folder.file("events")
        _ = try write(file)
        try FileManager.default.copyItem(atPath: file, toPath: file + "-other")
        let opened = try LogFile(file, isNew: false) {
            // The owner ends a rewriting at this moment.
            #expect(rename(file + "-other", file) == 0)
        }
        #expect(opened == nil)
        #expect(try contents(FileEventStore(file: file)).events == [4, 5, 6, 7])
    }

    @Test func `the new file of a rewriting is not deleted by another process`() throws {
        let folder = try TemporaryFolder()
        let file = folder.file("events")
        let owner = FileEventStore(file: file)
        _ = try owner.load()
        try Data("half".utf8).write(to: URL(fileURLWithPath: file + "-new"))
        #expect(code(file) == .busy)
        #expect(FileManager.default.fileExists(atPath: file + "-new"))
    }

    @Test func `a damaged range of removals is not believed`() {
        for range in [Int64.min...Int64.max, 0...5, 1...Int64.max] {
            #expect(LogRecord.decode(LogRecord.encode([.remove(range)])[...]) == nil)
        }
        #expect(LogRecord.ranges([.max, -4, 0, 3, 2]) == [2...3])
    }

    @Test func `a rewriting that was interrupted changes nothing`() throws {
        let folder = try TemporaryFolder()
        let file = folder.file("events")
        _ = try write(file)
        try Data("half".utf8).write(to: URL(fileURLWithPath: file + "-new"))
        #expect(try contents(FileEventStore(file: file)).events == [4, 5, 6, 7])
        #expect(!FileManager.default.fileExists(atPath: file + "-new"))
        // Between the two steps of a replacement on a file system without second names.
        try FileManager.default.moveItem(atPath: file, toPath: file + "-new")
        #expect(try contents(FileEventStore(file: file)).events == [4, 5, 6, 7])
    }

    private func code(_ file: String) -> EventStoreError.Code? {
        do {
            _ = try FileEventStore(file: file).load()
            return nil
        } catch {
            return (error as? EventStoreError)?.code
        }
    }

    @Test func `files that it cannot use are named and not changed`() throws {
        let folder = try TemporaryFolder()
        #expect(code(folder.file("missing/events")) == .unusable)
        #expect(code(folder.url.path) == .unusable)
        let foreign = Data("SQLite format 3\0 and more than sixteen bytes".utf8)
        try foreign.write(to: URL(fileURLWithPath: folder.file("foreign")))
        #expect(code(folder.file("foreign")) == .foreign)
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file("foreign"))) == foreign)
        let newer = Data(LogHeader.header(2))
        try newer.write(to: URL(fileURLWithPath: folder.file("newer")))
        #expect(code(folder.file("newer")) == .newerVersion)
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file("newer"))) == newer)
        let store = FileEventStore(file: folder.file("used"))
        _ = try store.load()
        #expect(code(folder.file("used")) == .busy)
        _ = try store.load()
    }

    @Test func `an event that can no longer be read is missing, and the queue reports it`() async throws {
        let folder = try TemporaryFolder()
        let file = folder.file("events")
        let store = FileEventStore(file: file)
        let (service, log) = (TestService(), ReportLog())
        let queue = EventQueue(
            store: store, destinations: [EventDestination("a", transport: service)], onReport: { log.add($0) })
        for number in 1...3 { try await queue.capture(.test(number)) }
        let text = try Data(contentsOf: URL(fileURLWithPath: file))
        let place = try #require(text.range(of: Data(#"{"n":2}"#.utf8)))
        let handle = try FileHandle(forUpdating: URL(fileURLWithPath: file))
        try handle.seek(toOffset: UInt64(place.lowerBound))
        try handle.write(contentsOf: Data("?".utf8))
        try handle.close()
        #expect(await queue.flush(within: 60_000).end == .complete)
        #expect(service.storedNumbers == [1, 3])
        #expect(log.dropped.map(\.id.number) == [2])
        #expect(log.dropped.first?.reason == .unreadable)
    }
}
