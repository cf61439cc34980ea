import PushDispatch
import Testing

@testable import SelectiveSync

struct UploadDecisionTests {
    private let object = SyncObject("Account", fields: ["Name", "Type", "ParentId"])
    private var keyed: SyncObject {
        var object = object
        object.externalIDField = "Key__c"
        return object
    }

    private func decide(
        _ record: LocalRecord, keyed isKeyed: Bool = true, mode: MergeRules.Mode = .leaveIfChanged,
        missing: Set<RecordKey> = []
    ) -> UploadDecision {
        UploadDecision.decide(record, of: isKeyed ? keyed : object, mode: mode, missing: missing)
    }

    private func edited(_ fields: [String: JSONValue]) -> LocalRecord {
        var record = LocalRecord(.test(1))
        record.edit { $0.merge(fields) { _, new in new } }
        return record
    }

    private func new(_ fields: [String: JSONValue] = ["Name": "new"]) -> LocalRecord {
        var record = LocalRecord(.local(7), fields: fields, changes: .created)
        record.externalID = "a"
        return record
    }

    @Test func `only fields that differ from the server's version are sent`() {
        #expect(decide(LocalRecord(.test(1))) == .nothing)
        #expect(decide(edited(["Type": "x"])) == .update(["Type": "x"]))
        var undone = edited(["Type": "x"])
        undone.sent = ["Type": "x"]
        undone.edit { $0["Type"] = nil }
        #expect(decide(undone) == .update(["Type": .null]))
        undone.base?["Type"] = .null
        #expect(decide(undone) == .clean)
    }

    @Test func `a new record is created with all its fields, or dropped`() {
        #expect(decide(new()) == .create(["Name": "new"]))
        var dropped = new()
        dropped.changes.insert(.deleted)
        #expect(decide(dropped) == .drop)
    }

    @Test func `a creation without an answer is looked up, even to delete the record`() {
        var sent = new()
        sent.sent = sent.fields
        #expect(decide(sent) == .lookUp)
        #expect(decide(sent, keyed: false) == .create(["Name": "new"]))
        sent.changes.insert(.deleted)
        #expect(decide(sent) == .lookUp)
        #expect(decide(sent, keyed: false) == .drop)
    }

    @Test func `a conflict is not sent, except to overwrite`() {
        var record = edited(["Name": "mine"])
        record.theirs = ServerRecord.test(1, name: "theirs").fields
        #expect(decide(record) == .conflict)
        #expect(decide(record, mode: .overwrite) == .update(["Name": "mine"]))
        record.theirs = nil
        record.isGone = true
        #expect(decide(record) == .conflict)
        record.changes.insert(.deleted)
        #expect(decide(record) == .delete)
    }

    @Test func `a record waits for the one that it refers to`() {
        let parent = RecordKey.local(8)
        let record = edited(["ParentId": .string(parent.description)])
        #expect(decide(record) == .wait)
        #expect(decide(new(record.fields)) == .wait)
        guard case .refuse(let reason) = decide(record, missing: [parent]) else {
            Issue.record("it is not refused")
            return
        }
        #expect(reason.contains("local_000000008"))
    }

    @Test func `the version of a record to delete is read with those of the same call`() {
        let deleted = (1...30).map { LocalRecord(.test($0), changes: .deleted) }
        let edits = (31...90).map { LocalRecord(.test($0), changes: .updated) }
        let portions = UploadPass(object, mode: .leaveIfChanged).portions(of: deleted + edits, maximumWrites: 25)
        #expect(portions.map(\.count) == [60, 25, 5])
        #expect(portions[1][0].changes == .deleted)
    }

    @Test func `versions are read for all records that the server has, except to overwrite`() {
        #expect(!UploadDecision.needsServerCopy(edited(["Name": "x"]), mode: .overwrite))
        #expect(!UploadDecision.needsServerCopy(new(), mode: .leaveIfChanged))
        #expect(UploadDecision.needsServerCopy(edited(["Name": "x"]), mode: .leaveIfChanged))
    }

    @Test func `a record that no longer exists is created again, left, or removed`() {
        let update = UploadDecision.update([:])
        #expect(update.outcome(of: .notFound, mode: .overwrite) == .createAnew)
        #expect(update.outcome(of: .notFound, mode: .leaveIfChanged) == .leave)
        #expect(update.outcome(of: .changed, mode: .leaveIfChanged) == .leave)
        #expect(UploadDecision.delete.outcome(of: .notFound, mode: .leaveIfChanged) == .remove)
        #expect(UploadDecision.lookUp.outcome(of: .notFound, mode: .leaveIfChanged) == .leave)
        #expect(update.outcome(of: .network, mode: .overwrite) == .failPass)
        #expect(update.outcome(of: .refused("X"), mode: .overwrite) == .error("X"))
        #expect(update.outcome(of: .unknown("X"), mode: .overwrite) == .unknown("X"))
    }
}
