import PayloadLint
import Testing

struct FileStampsTests {
    @Test func `changed, new and removed files are found`() {
        func stamp(_ bytes: Int64) -> FileStamps.Stamp {
            FileStamps.Stamp(device: 1, number: 2, bytes: bytes, seconds: 3, nanoseconds: 4)
        }
        var old = FileStamps()
        old["same"] = stamp(1)
        old["changed"] = stamp(1)
        old["removed"] = stamp(1)
        var new = old
        new["changed"] = stamp(2)
        new["removed"] = nil
        new["new"] = stamp(1)
        #expect(new.changes(since: old) == ["changed", "new", "removed"])
        #expect(old.changes(since: old).isEmpty)
    }
}
