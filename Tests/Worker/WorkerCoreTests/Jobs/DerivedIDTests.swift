import APNSModel
import PushQueue
import Testing

@testable import WorkerCore

@Suite struct DerivedIDTests {
    @Test func `the same place has the same id in every process`() {
        let id = DerivedID(JobID(stream: "push:jobs:normal:0", entry: "1700000000000-0"))
        // A worker of another version has to compute the same.
        #expect(id.text(line: 0) == DerivedIDTests.known.0)
        #expect(id.text(line: 99) == DerivedIDTests.known.1)
    }

    static let known = (
        "c50556aa-f43b-8d10-846c-59bad3a065ba", "042fe180-1cb7-88a9-8425-8014ffde7775"
    )

    @Test func `each is a canonical UUID of version 8`() throws {
        for line in 0..<100 {
            let text = DerivedID(JobID(stream: "s", entry: "\(line)")).text(line: line)
            #expect(NotificationID(text) != nil)
            #expect(Array(text)[14] == "8")
            #expect("89ab".contains(Array(text)[19]))
        }
    }

    @Test func `different places have different ids`() {
        var seen: Set<String> = []
        for stream in ["push:jobs:normal:0", "push:jobs:normal:1", "push:jobs:high:0", "push_job"] {
            for entry in 0..<250 {
                let id = DerivedID(JobID(stream: stream, entry: "\(entry)"))
                for line in 0..<100 { seen.insert(id.text(line: line)) }
            }
        }
        seen.insert(DerivedID(JobID(stream: "a", entry: "bc")).text(line: 0))
        seen.insert(DerivedID(JobID(stream: "ab", entry: "c")).text(line: 0))
        #expect(seen.count == 100_002)
    }
}
