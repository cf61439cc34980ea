import PushDispatch
import Testing

@testable import SelectiveSync

struct UploadDecisionTests {
    private static let base = ServerDate(millisecondsSince1970: 1_000)
    private static let later = ServerDate(millisecondsSince1970: 2_000)

    private func local(_ changes: LocalRecord.Changes, dated: Bool = true) -> LocalRecord {
        var record = LocalRecord(.test(1), changes: changes)
        if dated { record.fields["LastModifiedDate"] = .string(Self.base.description) }
        return record
    }

    @Test(
        arguments: [
            (.updated, .modified(UploadDecisionTests.base), .update),
            (.updated, .modified(UploadDecisionTests.later), .leave),
            (.deleted, .modified(UploadDecisionTests.base), .delete),
            (.deleted, .modified(UploadDecisionTests.later), .leave),
            (.updated, .same(UploadDecisionTests.later), .settle(UploadDecisionTests.later)),
            (.deleted, .same(UploadDecisionTests.later), .leave),
            (.deleted, .deleted, .delete), (.updated, .deleted, .leave), (.created, .unread, .create),
            ([.created, .updated], .unread, .create), ([.created, .deleted], .unread, .drop), ([], .unread, .nothing),
        ] as [(LocalRecord.Changes, UploadDecision.ServerCopy, UploadDecision)])
    func `a record is only left alone if both sides have changed it`(
        changes: LocalRecord.Changes, server: UploadDecision.ServerCopy, upload: UploadDecision
    ) {
        #expect(UploadDecision.decide(local(changes), server: server, mode: .leaveIfChanged) == upload)
    }

    @Test func `overwriting always sends, and a record without a date is sent too`() {
        let changed = UploadDecision.ServerCopy.modified(Self.later)
        #expect(UploadDecision.decide(local(.updated), server: changed, mode: .overwrite) == .update)
        #expect(UploadDecision.decide(local(.updated, dated: false), server: changed, mode: .leaveIfChanged) == .update)
        #expect(!UploadDecision.needsServerCopy(local(.updated), mode: .overwrite))
        #expect(!UploadDecision.needsServerCopy(local(.created), mode: .leaveIfChanged))
        #expect(UploadDecision.needsServerCopy(local(.updated), mode: .leaveIfChanged))
    }

    @Test func `a record that no longer exists is created again, left, or removed`() {
        #expect(UploadDecision.update.outcome(of: .notFound, mode: .overwrite) == .createAnew)
        #expect(UploadDecision.update.outcome(of: .notFound, mode: .leaveIfChanged) == .leave)
        #expect(UploadDecision.delete.outcome(of: .notFound, mode: .leaveIfChanged) == .remove)
        #expect(UploadDecision.drop.outcome(of: .network, mode: .overwrite) == .remove)
        #expect(UploadDecision.update.outcome(of: .network, mode: .overwrite) == .failPass)
        #expect(UploadDecision.update.outcome(of: .refused("X"), mode: .overwrite) == .error("X"))
    }

    @Test func `the version that this device uploaded is not a change by somebody else`() {
        var record = local(.updated)
        record.uploaded = Self.later
        #expect(UploadDecision.decide(record, server: .modified(Self.later), mode: .leaveIfChanged) == .update)
    }
}
