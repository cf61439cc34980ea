import APNSModel
import APNSPayload
import Testing

/// A rule is called only for what it says it looks at. These tests call all of them for everything and want the same.
struct LooksAtTests {
    private var pruning = Validator(rules: Rule.all)
    private var thorough = Validator(rules: Rule.all, prunes: false)

    private mutating func expectSame(_ envelope: Envelope) {
        let found = pruning.findings(for: envelope)
        let wanted = thorough.findings(for: envelope)
        #expect(found == wanted, "\(String(decoding: envelope.payload, as: UTF8.self)) \(envelope)")
        #expect(pruning.firstError(for: envelope) == thorough.firstError(for: envelope))
    }

    private static let pushTypes: [String?] = PushType.known.map(\.rawValue) + [nil, "future"]

    @Test mutating func `no example of a rule gives more when every rule looks`() {
        for example in Rule.all.flatMap({ $0.passes + $0.fails }) {
            var envelope = example.envelope
            expectSame(envelope)
            for pushType in LooksAtTests.pushTypes {
                envelope.pushType = pushType
                expectSame(envelope)
            }
        }
    }

    @Test mutating func `no sample gives more when every rule looks`() throws {
        for sample in try Samples.all() { expectSame(sample.envelope) }
    }

    @Test mutating func `no payload put together by chance gives more when every rule looks`() {
        var payloads = RandomPayloads(seed: 4)
        for _ in 0..<3_000 {
            let pushType = LooksAtTests.pushTypes[payloads.below(LooksAtTests.pushTypes.count)]
            let kinds: [Envelope.Kind] = [.payload, .apns, .envelope, .notification]
            let priorities = [nil, "5", "10"]
            expectSame(
                Envelope(
                    kind: kinds[payloads.below(kinds.count)], topic: "com.example.agent", pushType: pushType,
                    priority: priorities[payloads.below(priorities.count)], payload: payloads.next()))
        }
    }
}
