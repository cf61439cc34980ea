import PushDispatch
import SelectiveSync
import Testing

struct LocalRecordTests {
    @Test func `the flags have their usual names among the fields`() {
        let fields = LocalRecord(.test(1), changes: [.created, .updated]).fieldsWithFlags
        #expect(fields["__local__"] == true && fields["__locally_created__"] == true)
        #expect(fields["__locally_updated__"] == true && fields["__locally_deleted__"] == false)
        #expect(fields["_soupEntryId"] == nil)
    }
}
