import Foundation
import PushDispatch
import SelectiveSync
import SimulationSQLite
import Testing

@testable import Simulation

struct SQLiteSimulationTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("sqlite-\(UUID().uuidString)")

    @Test func `a seed on SQLite gives the same trace each time, and leaves no file`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let seed = 2 * SimulationFiles.seedsPerFile
        let first = try await Simulation.run(seed: seed, recordsTrace: true, files: .sqlite(in: folder))
        let second = try await Simulation.run(seed: seed, recordsTrace: true, files: .sqlite(in: folder))
        let difference = zip(first.trace, second.trace).first { $0 != $1 }.map { "\($0.0) | \($0.1)" }
        #expect(difference == nil)
        #expect(first.trace.count == second.trace.count)
        #expect(first.isGood && second.isGood)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    @Test func `what a process has stored is there after its kill`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let disk = try FileDisk(folder, maximumPending: 2, SimulationFiles.sqlite(in: folder).open)
        let account = try #require(RecordID("001xx000003DGb2AAG"))
        let visit = try #require(RecordID("0xIxx0000000001EAA"))
        try disk.logIn("user", discardingEdits: false)
        #expect(try disk.keep(Hint(type: "ACCOUNT_UPDATE", object: "Account", records: [account])) != nil)
        _ = try disk.merge(
            MergeBatch("Account", [.record(ServerRecord(id: account, fields: ["Name": "A"]))], user: "user"))
        for _ in 0..<2 {
            disk.killed()
            #expect(try disk.user() == "user")
            #expect(try disk.record(.server(account), of: "Account")?.fields["Name"] == "A")
            #expect(try disk.list().pending(of: "Account").map(\.record) == [account])
        }
        #expect(try disk.keep(Hint(type: "INTERACTION", object: "Interaction", records: [visit, account])) == nil)
        let list = try disk.list()
        #expect(list.objectsToSync == (try disk.objectsToSync()))
        #expect(list.mark == (try disk.pendingMark()))
        #expect(list.count == list.pending(of: "Account").count + list.pending(of: "Interaction").count)
    }
}
