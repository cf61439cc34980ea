import APNSModel
import TestSeeds
import Testing

@testable import GatewayCore

struct JournalTests {
    func running(retain: Int = 100, count: Int = 0) throws -> Running {
        var running = try Scenario().with { $0.settings.retain = retain }.run()
        for _ in 0..<count { try running.send(Scenario()) }
        return running
    }

    @Test func `it keeps the newest and forgets the oldest`() throws {
        let world = try running(retain: 3, count: 8).world
        let page = world.notifications()
        #expect(page.total == 3)
        #expect(page.entries.map(\.sequence) == [7, 6, 5])
        #expect(page.next == nil)
        #expect(world.notification(4) == nil)
    }

    @Test func `the first entry after a copy copies one chunk`() throws {
        func places(_ journal: Journal) -> [UnsafePointer<JournalRecord>?] {
            journal.slots.chunks.map { $0.withUnsafeBufferPointer(\.baseAddress) }
        }
        let count = 3 * ChunkedArray<JournalRecord>.chunkSize
        var journal = Journal(retain: count, uniqueIDs: UniqueIDs(key: 1))
        for _ in 0..<count { journal.append { _ in } }
        let copy = journal
        journal.append { _ in }
        let (before, after) = (places(copy), places(journal))
        let copied = before.indices.filter { before[$0] != after[$0] }
        #expect(before.count == 3)
        #expect(copied == [0])
        #expect(copy.sequences.lowerBound == 0)
        #expect(journal.sequences.lowerBound == 1)
    }

    @Test func `the length of a line is that of its sentence`() {
        for line in [
            LifeEntry(stage: .stored, at: 0, why: "the device is offline: é"),
            LifeEntry(replacedBy: UniqueID(1, 2), at: 0, ", which is newer"),
        ] {
            #expect(line.whyBytes == line.why.utf8.count)
        }
    }

    @Test func `it holds no more memory than it may, however large its entries are`() throws {
        var running = try Scenario().with { $0.settings.maximumJournalBytes = 64 << 10 }.run()
        var head = try Scenario().request()
        head.apnsID = nil
        for size in [100, 4000, 8000, 4000, 100].flatMap({ Array(repeating: $0, count: 40) }) {
            _ = running.send(head, Array(repeating: UInt8(ascii: "x"), count: size))
            #expect(running.world.journal.heldBytes <= 64 << 10)
            let page = running.world.notifications()
            #expect(page.entries.first?.payloadBytes == size)
            #expect(page.total == running.world.journalCount)
            #expect(running.world.notification(running.world.journal.nextSequence - 1) != nil)
        }
        #expect(running.world.journalCount > 40)
    }

    @Test func `the lines of long lives count as memory`() throws {
        var running = try Scenario().with { $0.settings.maximumJournalBytes = 64 << 10 }.run()
        for _ in 0..<10 { try running.send(Scenario()) }
        #expect(running.world.journalCount == 10)
        let why = String(repeating: "y", count: 1000)
        for number in 0..<200 {
            running.world.journal.add(LifeEntry(stage: .stored, at: 0, why: why), to: UInt64(number % 10))
        }
        #expect(running.world.journal.heldBytes <= 64 << 10)
        #expect(running.world.journalCount < 10)
    }

    @Test func `one entry is kept where even that is too much`() throws {
        var running = try Scenario().with { $0.settings.maximumJournalBytes = 1 }.run()
        for _ in 0..<5 { try running.send(Scenario()) }
        #expect(running.world.notifications().entries.map(\.sequence) == [4])
    }

    @Test func `a cursor goes on where the page before ended, whatever comes in meanwhile`() throws {
        var running = try running(count: 7)
        var query = NotificationQuery()
        query.limit = 3
        var seen: [UInt64] = []
        repeat {
            let page = running.world.notifications(query)
            seen += page.entries.map(\.sequence)
            query.cursor = page.next
            try running.send(Scenario())
        } while query.cursor != nil
        #expect(seen == [6, 5, 4, 3, 2, 1, 0])
    }

    @Test func `a cursor older than the journal gives an empty page`() throws {
        let world = try running(retain: 2, count: 9).world
        var query = NotificationQuery()
        query.cursor = 3
        let page = world.notifications(query)
        #expect(page.entries.isEmpty)
        #expect(page.next == nil)
        #expect(page.total == 2)
    }

    @Test(arguments: [1, 2, 5, 100])
    func `a page without a filter is that of a filter that every entry passes`(partLength: Int) throws {
        let world = try running(retain: 9, count: 14).world
        func page(_ query: NotificationQuery) -> NotificationPage {
            var search = NotificationSearch(query)
            var rest = search.begin(world.journalSequences)
            while !rest.isEmpty {
                let first = rest.upperBound - min(UInt64(rest.count), UInt64(partLength))
                search.read(world, first..<rest.upperBound)
                rest = rest.lowerBound..<first
            }
            return search.page
        }
        for cursor in [nil] + (0...15).map({ UInt64($0) }) {
            for limit in 1...10 {
                var query = NotificationQuery()
                (query.cursor, query.limit) = (cursor, limit)
                let all = page(query)
                query.since = 0
                let passed = page(query)
                #expect(all.total == 9 && passed.total == 9)
                #expect(all.entries.map(\.sequence) == passed.entries.map(\.sequence))
                #expect(all.next == passed.next)
            }
        }
    }

    @Test func `each entry is found by its unique id, in either case, and others are not`() throws {
        let world = try running(count: 20).world
        for entry in world.notifications().entries {
            #expect(world.notification(uniqueID: entry.uniqueID)?.sequence == entry.sequence)
            #expect(world.notification(uniqueID: entry.uniqueID.uppercased())?.sequence == entry.sequence)
            let other = (entry.uniqueID.first == "0" ? "1" : "0") + entry.uniqueID.dropFirst()
            #expect(world.notification(uniqueID: other) == nil)
        }
        #expect(world.notification(uniqueID: "nonsense") == nil)
        #expect(world.notification(uniqueID: "") == nil)
    }

    @Test func `refusals and production have a unique id inside the journal only`() throws {
        var running = try running()
        let judgement = try running.send(Scenario().with { $0.head.topic = nil })
        #expect(judgement.verdict.uniqueID == nil)
        let entry = try #require(running.world.notification(judgement.sequence))
        #expect(running.world.notification(uniqueID: entry.uniqueID)?.verdict.reason == .missingTopic)
        #expect(entry.life.map(\.stage) == [.refused])
    }

    @Test func `filters narrow the list down`() throws {
        var running = try running()
        try running.send(Scenario().with { $0.head.collapseID = "acct-001" })
        try running.send(Scenario().with { $0.head.path = "/3/device/cafe" })
        running.advance(milliseconds: 10)
        try running.send(
            Scenario().with {
                $0.head.pushType = "alert"
                $0.body = Array(#"{"aps":{"alert":"Hello Åsa"}}"#.utf8)
            })
        func sequences(_ change: (inout NotificationQuery) -> Void) -> [UInt64] {
            var query = NotificationQuery()
            change(&query)
            return running.world.notifications(query).entries.map(\.sequence)
        }
        #expect(sequences { $0.outcome = .accepted } == [2, 0])
        #expect(sequences { $0.outcome = .refused } == [1])
        #expect(sequences { $0.reason = "BadDeviceToken" } == [1])
        #expect(sequences { $0.topic = "com.example" } == [])
        #expect(sequences { $0.topic = Scenario.topic } == [2, 1, 0])
        #expect(sequences { $0.token = Scenario.token.uppercased() } == [2, 0])
        #expect(sequences { $0.token = String(Scenario.token.dropLast(2)) } == [])
        #expect(sequences { $0.collapseID = "" } == [])
        #expect(sequences { $0.pushType = "alert" } == [2])
        #expect(sequences { $0.collapseID = "acct-001" } == [0])
        #expect(sequences { $0.apnsID = "9D1F0A52-1111-4222-8333-ABCDEFABCDEF" } == [2, 1, 0])
        #expect(sequences { $0.since = Scenario.start + 10 } == [2])
        #expect(sequences { $0.text = "hello Å" } == [2])
        #expect(sequences { $0.text = "BADDEVICE" } == [1])
        #expect(sequences { $0.text = "" } == [2, 1, 0])
        #expect(sequences { $0.limit = 0 } == [2])
    }

    @Test func `the query field q searches the whole payload`() throws {
        var running = try running()
        try running.send(Scenario())
        var query = NotificationQuery()
        query.text = "content-available\":1}}"
        #expect(running.world.notifications(query).total == 1)
        query.text = "content-available\":1}}x"
        #expect(running.world.notifications(query).total == 0)
    }

    @Test func `emptied, it goes on counting, and what was stored is still delivered`() throws {
        var running = try running(retain: 2, count: 3)
        running.world.deleteNotifications()
        #expect(running.world.notifications().total == 0)
        try running.send(Scenario().with { $0.head.expiration = "0" })
        #expect(running.world.notifications().entries.map(\.sequence) == [3])
        let events = running.world.subscribe(try Scenario().deviceToken, in: .sandbox, real: 0)?.events
        #expect(events?.map(\.delivery.sequence) == [2])
        #expect(running.world.notifications().entries.map(\.sequence) == [3])
    }

    @Test func `a journal of no entries is possible`() throws {
        var running = try running(retain: 0, count: 3)
        #expect(running.world.notifications().total == 0)
        #expect(try running.send(Scenario()).verdict.isAccepted)
    }

    @Test(arguments: TestSeed.all([7]))
    func `a unique id gives its number back`(seed: TestSeed) {
        let ids = UniqueIDs(key: 0x1234_5678_9abc_def0)
        var generator = SeededGenerator(seed: seed.value)
        for sequence in [0, 1, 2, UInt64.max, 1 << 40] + (0..<100).map({ _ in generator.next() }) {
            let id = ids.id(of: sequence, random: generator.next())
            #expect(UniqueID(id.text) == id)
            #expect(id.text.contains { $0.isLetter } == (UniqueID(id.text.uppercased()) == nil))
            #expect(ids.sequence(of: id) == sequence)
        }
    }
}
