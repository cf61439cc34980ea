import Testing

@testable import WorkerCore

@Suite struct JobContextTests {
    @Test func `a context is read as it was written`() {
        let context = JobContext(
            ids: ["a", "b\"\n"], first: 1_700_000_000_000, history: [.init(at: 5, reason: "ServiceUnavailable")])
        #expect(JobContext(context.text) == context)
        #expect(JobContext(JobContext().text) == JobContext())
    }

    @Test(arguments: [
        nil, "", "null", "[1]", "{", #"{"first":-9223372036854775808}"#, #"{"ids":5,"first":"x","history":{"at":1}}"#,
        #"{"history":[{"at":"x"},7]}"#,
    ]) func `what a stranger wrote is no context`(_ text: String?) {
        #expect(JobContext(text) == JobContext())
    }

    @Test func `the history keeps the newest twenty`() {
        let context = (0..<50).reduce(JobContext()) { $0.adding(.init(at: Int64($1), reason: "r")) }
        #expect(context.history.map(\.at) == Array(30..<50))
    }
}
