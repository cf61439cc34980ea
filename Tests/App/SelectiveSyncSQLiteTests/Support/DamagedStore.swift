import Foundation
import GRDB
import PushDispatch
import SelectiveSync
import SelectiveSyncSQLite
import Testing

/// A store with 150 records of the server and 20 unsent edits, closed, for a test to damage.
struct DamagedStore {
    static let records = 150
    static let edits = 20

    let folder: TemporaryFolder
    let file: String
    /// The original edits, by their keys.
    let edited: [RecordKey: LocalRecord]

    /// - Parameter isClosed: Whether everything is in the main file; otherwise some is in the log.
    init(isClosed: Bool = true) async throws {
        folder = try TemporaryFolder()
        file = folder.file("store")
        let store = try SQLiteStore(file: file)
        try await store.logIn("user", discardingEdits: false)
        let records = (0..<Self.records).map {
            FetchedRecord.record(.test($0, name: String(repeating: "n", count: 150), at: 5))
        }
        var batch = MergeBatch("Account", records, user: "user")
        batch.progress = SyncProgress()
        batch.progress?.mark = ServerDate(millisecondsSince1970: 5)
        _ = try await store.merge(batch)
        var edited: [RecordKey: LocalRecord] = [:]
        for number in 0..<Self.edits {
            let key = number % 2 == 0 ? RecordKey.server(.test(number * 7)) : .local(number)
            let record = LocalRecord(
                key, fields: ["Name": .string("edit \(number)"), "n": 7], changes: number % 2 == 0 ? .updated : .created
            )
            try await store.put(record, of: "Account")
            edited[key] = record
        }
        self.edited = edited
        try await store.keep(Hint(type: "T", object: "Case", records: [.test(900)]))
        if !isClosed {
            // Copied as after a kill, with its log; closing would write the log back.
            for end in ["", "-wal"] {
                try FileManager.default.copyItem(atPath: file + end, toPath: folder.file("copy\(end)"))
            }
        }
        try store.close()
    }

    func size(_ path: String) throws -> Int { try Data(contentsOf: URL(fileURLWithPath: path)).count }

    func overwrite(_ path: String? = nil, at offset: Int, with bytes: [UInt8]) throws {
        let handle = try FileHandle(forUpdating: URL(fileURLWithPath: path ?? file))
        defer { try? handle.close() }
        try handle.seek(toOffset: UInt64(offset))
        try handle.write(contentsOf: Data(bytes))
    }

    /// Checks that the recovered edits are unchanged and that the new store works.
    func expectSound(_ store: SQLiteStore) async throws {
        for record in try await store.dirtyRecords(of: "Account") {
            let original = try #require(edited[record.key])
            #expect(record.changes == original.changes)
            #expect(record.fields.merging(original.fields) { _, edit in edit } == record.fields)
        }
        try await store.check()
        _ = try await store.merge(MergeBatch("Account", [.record(.test(1, name: "new", at: 9))]))
        #expect(try await store.record(.test(1), of: "Account")?.fields["Name"] == "new")
        let mark = try #require(try await store.keep(Hint(type: "T", object: "Account", records: [.test(1)])))
        try await store.forget([PendingRecord(.test(1), mark: mark)], of: "Account")
    }
}
