import Testing

@testable import APNSPayload

struct OccurrenceCounterTests {
    private func fingerprint(_ text: String) -> Fingerprint {
        let source = SourceText(name: "a.json", bytes: Array(#"{"aps":1}"#.utf8))
        let finding = Finding(of: .apsObject, "aps is a number", at: .payload)
        return Fingerprint(of: LocatedFinding(finding, at: 0..<1, in: source), in: source).combined(with: text)
    }

    @Test func `each fingerprint is counted from 0`() {
        var counter = OccurrenceCounter()
        let counts = ["a", "b", "a", "a", "b"].map { counter.next(fingerprint($0)) }
        #expect(counts == [0, 0, 1, 2, 1])
    }

    @Test func `the counter starts again when it is full`() {
        var counter = OccurrenceCounter(capacity: 2)
        let counts = ["a", "a", "b", "a"].map { counter.next(fingerprint($0)) }
        #expect(counts == [0, 1, 0, 0])
    }
}
