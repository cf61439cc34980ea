import PushQueue
import Testing

@testable import WorkerCore

@Suite struct JobContextTests {
    @Test func `a context is read as it was written`() {
        var context = JobContext(
            ids: ["8e2a5c0b-3f1d-4c7a-9b60-1d2e3f405162", ""], first: 1_700_000_000_000, failures: 3,
            history: [.init(at: 5, reason: "ServiceUnavailable")])
        #expect(JobContext(context.text) == context)
        (context.since, context.isDead) = (1_700_000_600_000, true)
        #expect(JobContext(context.text) == context)
        #expect(JobContext(JobContext().text) == JobContext())
    }

    @Test(arguments: [
        nil, "", "null", "[1]", "{", #"{"first":-9223372036854775808}"#, #"{"ids":5,"first":"x","history":{"at":1}}"#,
        #"{"history":[{"at":"x"},7]}"#, #"{"failures":-1}"#, #"{"failures":9223372036854775807}"#,
    ]) func `what a stranger wrote is no context`(_ text: String?) {
        #expect(JobContext(text) == JobContext())
    }

    @Test(arguments: ["x y\r\nz: 1", "", "8e2a5c0b3f1d4c7a9b601d2e3f405162", "8e2a5c0b-3f1d-4c7a-9b60-1d2e3f40516g"])
    func `an id that is no UUID does not get onto the wire`(_ id: String) {
        let context = JobContext(JobContext(ids: [id, "8E2A5C0B-3F1D-4C7A-9B60-1D2E3F405162"]).text)
        #expect(context.ids == ["", "8E2A5C0B-3F1D-4C7A-9B60-1D2E3F405162"])
        let derived = DerivedID(JobID(stream: "s", entry: "1"))
        #expect(context.id(of: 0, or: derived) == derived.text(line: 0))
        #expect(context.id(of: 1, or: derived) == context.ids[1])
        #expect(context.id(of: 2, or: derived) == derived.text(line: 2))
    }

    @Test func `the history keeps the newest twenty`() {
        let context = (0..<50).reduce(JobContext()) { $0.adding(.init(at: Int64($1), reason: "r")) }
        #expect(context.history.map(\.at) == Array(30..<50))
    }
}
