import EventDelivery
import Foundation
import GRDB
import Testing

@testable import EventDeliverySQLite

/// The pages of a file, and how large its log becomes.
@Suite(.timeLimit(.minutes(2)))
struct LogSizeTests {
    private func event(_ number: Int64, bodyBytes: Int) -> StoredEvent {
        StoredEvent(
            sequence: number,
            event: CapturedEvent(
                EventStamp(id: EventID(), time: EventTime(milliseconds: number)), kind: "kind", to: "a",
                body: [UInt8](repeating: UInt8(ascii: "x"), count: bodyBytes)))
    }

    private func bytes(_ path: String) throws -> Int {
        try #require(try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
    }

    /// An empty file with pages of this size, as an earlier version made it.
    private func makeFile(_ file: String, pageBytes: Int) throws {
        var configuration = Configuration()
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA page_size = \(pageBytes)") }
        let queue = try DatabaseQueue(path: file, configuration: configuration)
        try queue.inDatabase { try EventDatabase.create($0) }
        try queue.close()
    }

    @Test(arguments: [nil, 4_096, 16_384])
    func `a new file has small pages, an old one keeps its own, and the log of each is bounded`(
        pageBytes: Int?
    ) throws {
        let folder = try StoreFolder()
        let file = folder.file("events")
        if let pageBytes { try makeFile(file, pageBytes: pageBytes) }
        let store = SQLiteEventStore(file: file)
        _ = try store.load()
        let limit = EventDatabase.logBytes
        var largest = 0
        for number in 1...330 {
            var changes = StoreChanges()
            changes.append = [event(Int64(number), bodyBytes: 65_536)]
            try store.commit(changes)
            largest = max(largest, try bytes(file + "-wal"))
        }
        // A commit is written whole, with 24 bytes for each page, before the log is written back.
        #expect(largest > limit * 9 / 10 && largest < limit + limit / 50)
        try store.synchronize()
        let handle = try #require(FileHandle(forReadingAtPath: file))
        let found = Array(try handle.read(upToCount: 18) ?? Data())
        try handle.close()
        // The size of a page is at offset 16, big-endian. Source: "Database File Format", SQLite.
        #expect(found.suffix(2) == (pageBytes ?? 2_048).bigEndianPair)
    }
}

extension Int {
    fileprivate var bigEndianPair: [UInt8] { [UInt8(self >> 8 & 0xff), UInt8(self & 0xff)] }
}
