import PushDispatch
import SelectiveSync
import Testing

struct RecordKeyTests {
    @Test(arguments: [
        ("local_000000007", RecordKey.local(7)), ("001xx000003DGb2", .server(RecordID("001xx000003DGb2AAG")!)),
    ])
    func `a key is an id or a local number of nine digits`(text: String, key: RecordKey) {
        #expect(RecordKey(text) == key)
        #expect(RecordKey(key.description) == key)
    }

    @Test(arguments: ["local_7", "local_0000000071", "local_00000000x", "", "local_", "001'; DROP TABLE x"])
    func `anything else is not a key`(text: String) {
        #expect(RecordKey(text) == nil)
    }
}
