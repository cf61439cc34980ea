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

    private struct Found: Sendable {
        let user: String?
        let name: JSONValue?
        let pending: [RecordID]
    }

    /// On a thread of its own, because each call of a file blocks its thread.
    @Test func `what a process has stored is there after its kill`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let account = try #require(RecordID("001xx000003DGb2AAG"))
        let visit = try #require(RecordID("0xIxx0000000001EAA"))
        let (found, mark, list, objects, last) = try await Simulation.onThread { [folder] in
            let disk = try FileDisk(folder, maximumPending: 2, SimulationFiles.sqlite(in: folder).open)
            try disk.logIn("user", discardingEdits: false)
            _ = try disk.keep(Hint(type: "ACCOUNT_UPDATE", object: "Account", records: [account]))
            _ = try disk.merge(
                MergeBatch("Account", [.record(ServerRecord(id: account, fields: ["Name": "A"]))], user: "user"))
            var found: [Found] = []
            for _ in 0..<2 {
                disk.killed()
                found.append(
                    Found(
                        user: try disk.user(), name: try disk.record(.server(account), of: "Account")?.fields["Name"],
                        pending: try disk.list().pending(of: "Account").map(\.record)))
            }
            let mark = try disk.keep(Hint(type: "INTERACTION", object: "Interaction", records: [visit, account]))
            return (found, mark, try disk.list(), try disk.objectsToSync(), try disk.pendingMark())
        }
        for found in found { #expect(found.user == "user" && found.name == "A" && found.pending == [account]) }
        #expect(found.count == 2 && mark == nil)
        #expect(list.objectsToSync == objects)
        #expect(list.mark == last)
        #expect(list.count == list.pending(of: "Account").count + list.pending(of: "Interaction").count)
    }
}
