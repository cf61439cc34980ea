import APNSModel
import APNSProvider
import Foundation
import TestSupport
import Testing

@testable import apns

struct SendJournalTests {
    private static func notifications(_ journal: SendJournal, _ count: Int) throws -> [APNSNotification] {
        let (deviceToken, topic) = (try #require(DeviceToken("aabb")), try #require(Topic("com.example.a")))
        return (0..<count).map { _ in
            APNSNotification(to: deviceToken, topic: topic, pushType: .alert, id: journal.newID(), payload: [])
        }
    }

    @Test(arguments: [(1, "an older version"), (3, "a newer version")])
    func `a journal of another version is not continued`(version: Int, says: String) throws {
        try withTemporaryFolder { folder in
            let path = folder.appendingPathComponent("sent.journal").path
            try #"{"journal":"apns send","version":\#(version),"batch":"b","gateway":"g"}\#n"#
                .write(toFile: path, atomically: true, encoding: .utf8)
            let error = #expect(throws: CommandError.self) { try SendJournal(path: path, batch: "b", gateway: "g") }
            #expect(error?.message.contains("\(path) was written by \(says) of this command") == true)
        }
    }

    @Test(arguments: [#"{"aps":{"alert":"x"}}"#, #"{"token":"ab12","payload":{}}"# + "\n" + #"{"token":"#])
    func `a file of another kind is not taken for a journal, and is left as it is`(text: String) throws {
        try withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("payload.json")
            try text.write(to: file, atomically: true, encoding: .utf8)
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)
            let error = #expect(throws: CommandError.self) {
                try SendJournal(path: file.path, batch: "b", gateway: "g")
            }
            #expect(error?.message.contains("payload.json:1: the line does not begin with") == true)
            #expect(try String(contentsOf: file, encoding: .utf8) == text)
            let facts = try FileManager.default.attributesOfItem(atPath: file.path)
            #expect(facts[.posixPermissions] as? Int == 0o644)
        }
    }

    @Test(arguments: ["-", "/dev/null"])
    func `what cannot be read again is not a journal`(path: String) throws {
        let error = #expect(throws: CommandError.self) { try SendJournal(path: path, batch: "b", gateway: "g") }
        #expect(
            error?.message == "the journal \(path) is not a regular file, which the next run can read; name a file")
    }

    @Test func `a file that the command reads or prints to is not its journal, by whatever path`() throws {
        try withTemporaryFolder { folder in
            func path(_ name: String) -> String { folder.appendingPathComponent(name).path }
            for name in ["batch.ndjson", "results", "other"] {
                #expect(FileManager.default.createFile(atPath: path(name), contents: nil))
            }
            try FileManager.default.createSymbolicLink(atPath: path("link"), withDestinationPath: path("batch.ndjson"))
            let results = try #require(FileHandle(forWritingAtPath: path("results")))
            func fault(_ name: String) -> String? {
                SendJournal.fault(
                    ofPath: path(name), inputs: [(option: "--batch", path: path("batch.ndjson"))],
                    outputs: [(name: "standard output", descriptor: results.fileDescriptor)])
            }
            for name in ["batch.ndjson", "link"] {
                #expect(fault(name) == "the journal \(path(name)) is the file of --batch; name another file")
            }
            #expect(
                fault("results")
                    == "the journal \(path("results")) is the file of standard output, where results are printed; name "
                    + "another file")
            #expect(fault("other") == nil && fault("absent") == nil && fault("") == nil)
            try results.close()
        }
    }

    @Test func `a folder is not a journal`() throws {
        try withTemporaryFolder { folder in
            let error = #expect(throws: CommandError.self) {
                try SendJournal(path: folder.path, batch: "b", gateway: "g")
            }
            #expect(error?.message.hasPrefix("the journal \(folder.path) cannot be opened: ") == true)
            #expect(error?.message.hasSuffix("; name a file in it") == true)
        }
    }

    @Test func `a closed journal says how many have no outcome, and takes no more`() throws {
        try withTemporaryFolder { folder in
            let path = folder.appendingPathComponent("sent.journal").path
            let lost = APNSSendError(.connectionLost, "gone", isSafeToRetry: false)
            do {
                let journal = try SendJournal(path: path, batch: "b", gateway: "g")
                let notifications = try SendJournalTests.notifications(journal, 4)
                try journal.begin(notifications, (0..<4).map { TagRing.Tag(number: $0) })
                try journal.begin([(number: 4, id: journal.newID())])
                journal.end([(0, .unsent(lost)), (1, .unknown(lost))])
                #expect(journal.close() == 3)
                journal.end([(2, .unsent(lost))])
                let error = #expect(throws: FileError.self) { try journal.begin([(number: 5, id: journal.newID())]) }
                #expect(error?.description == "the journal is closed, because the run ends")
                #expect(journal.close() == 3 && journal.failure == nil)
            }
            let next = try SendJournal(path: path, batch: "b", gateway: "g")
            #expect((0..<6).map { next.past($0).mark } == [.unsent, .unknown, .open, .open, .open, .nothing])
        }
    }

    @Test func `a later run has the marks and ids that batches left`() throws {
        try withTemporaryFolder { folder in
            let path = folder.appendingPathComponent("sent.journal").path
            func open() throws -> SendJournal { try SendJournal(path: path, batch: "b", gateway: "g") }
            func expect(_ journal: SendJournal, _ number: Int, _ mark: SendJournal.Mark, _ id: NotificationID? = nil) {
                let past = journal.past(number)
                #expect(past.mark == mark, "number \(number)")
                #expect(past.id == id, "number \(number)")
            }
            var ids: [NotificationID?] = []
            do {
                let journal = try open()
                expect(journal, 0, .nothing)
                let notifications = try SendJournalTests.notifications(journal, 5)
                ids = notifications.map(\.id)
                #expect(Set(ids).count == 5)
                try journal.begin(notifications, (0..<5).map { TagRing.Tag(number: $0 * 10) })
                let lost = APNSSendError(.connectionLost, "gone", isSafeToRetry: false)
                journal.end([
                    (10, .accepted(apnsID: NotificationID(known: "A"), uniqueID: nil)),
                    (0, .refused(Refusal(Reason("Odd\"\n", 400), apnsID: nil))),
                ])
                journal.end([(20, .unknown(lost)), (30, .unsent(lost))])
                journal.end([])
                journal.sync()
                #expect(journal.failure == nil)
            }
            let journal = try open()
            expect(journal, 0, .refused)
            expect(journal, 10, .accepted)
            expect(journal, 20, .unknown, ids[2])
            expect(journal, 30, .unsent, ids[3])
            expect(journal, 40, .open, ids[4])
            expect(journal, 5, .nothing)
            expect(journal, 41, .nothing)
        }
    }
}
