import SelectiveSync
import Testing

struct SyncObjectTests {
    @Test func `stamps are added to the fields, and the regular sync is ordered by the system's`() {
        let object = SyncObject("Account", fields: ["Name", "SystemModstamp"])
        #expect(object.fields == ["Name", "SystemModstamp", "LastModifiedDate"])
        #expect(object.orderField == "SystemModstamp")
        let other = SyncObject("Case", fields: [], stamps: ["LastModifiedDate"])
        #expect(other.fields == ["LastModifiedDate"] && other.orderField == "LastModifiedDate")
    }
}
