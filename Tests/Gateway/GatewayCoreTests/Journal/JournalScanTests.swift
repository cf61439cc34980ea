import APNSPayload
import Testing

@testable import GatewayCore

/// Work is counted in comparisons and not in time.
struct JournalScanTests {
    /// A journal of notifications whose payloads have this many members.
    private static func running(_ count: Int, members: Int) throws -> Running {
        let payload = PayloadValue.object(
            Dictionary(uniqueKeysWithValues: (0..<members).map { ("k\($0)", PayloadValue.integer(Int64($0))) }))
        var running = try Scenario().run()
        for _ in 0..<count {
            try running.send(
                Scenario().with {
                    $0.body = payload.encoded()
                    $0.head.apnsID = nil
                })
        }
        return running
    }

    /// A match of this many members of a payload; nil for one that reads no payload.
    private static func match(members: Int?) -> NotificationMatch {
        var match = NotificationMatch()
        match[.outcome] = .equals("accepted")
        guard let members else { return match }
        match.payload = PayloadMatch(
            .object(Dictionary(uniqueKeysWithValues: (0..<members).map { ("k\($0)", PayloadValue.integer(1)) })))
        return match
    }

    private static func parts(_ running: Running, _ match: NotificationMatch) -> [Range<UInt64>] {
        var scan = JournalScan(running.world.journalSequences, for: match)
        var parts: [Range<UInt64>] = []
        while let part = scan.next(in: running.world) { parts.append(part) }
        return parts
    }

    @Test(arguments: [nil, 1, 16, 256] as [Int?])
    func `parts have each entry once, the newest first, and limited work`(members: Int?) throws {
        let running = try Self.running(400, members: 100)
        let match = Self.match(members: members)
        let parts = Self.parts(running, match)
        let read = parts.reversed().flatMap { Array($0) }
        let all: Range<UInt64> = 0..<400
        #expect(read == Array(all))
        let values = match.payload?.count
        for part in parts where part.count > 1 {
            let work = part.reduce(0) { $0 + running.world.journal.work(of: $1, values) }
            #expect(work <= JournalScan.maximumWork)
        }
    }

    @Test func `the more there is to compare in an entry, the fewer entries a part has`() throws {
        let running = try Self.running(300, members: 100)
        let members: [Int?] = [nil, 1, 16, 256]
        let sizes = members.map { Self.parts(running, Self.match(members: $0))[0].count }
        let sorted = sizes.sorted(by: >)
        #expect(sizes == sorted)
        #expect(sizes[0] > 100 && sizes[3] == 1, "\(sizes)")
    }

    @Test func `an entry with a long life is more work`() throws {
        var running = try Self.running(1, members: 1)
        let before = running.world.journal.work(of: 0, nil)
        for _ in 0..<1000 {
            running.world.journal.add(LifeEntry(stage: .delivered, at: 0, why: "ab12: it is online"), to: 0)
        }
        #expect(running.world.journal.work(of: 0, nil) >= before + 10_000)
    }

    @Test func `entries that are gone are passed over`() throws {
        var running = try Self.running(3, members: 1)
        var scan = JournalScan(running.world.journalSequences, for: Self.match(members: 1))
        running.world.deleteNotifications()
        let part = scan.next(in: running.world)
        let all: Range<UInt64> = 0..<3
        #expect(part == all)
        let rest = scan.next(in: running.world)
        #expect(rest == nil)
    }
}
