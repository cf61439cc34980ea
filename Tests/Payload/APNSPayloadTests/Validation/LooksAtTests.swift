import APNSModel
import APNSPayload
import TestSeeds
import Testing

/// A rule runs only for payloads that have something of its `looksAt`. These tests compare this with running every rule
/// for every payload.
struct LooksAtTests {
    private var pruning = Validator(rules: Rule.all)
    private var thorough = Validator(rules: Rule.all, prunes: false)

    private mutating func expectSame(_ envelope: Envelope) {
        let found = pruning.findings(for: envelope)
        let wanted = thorough.findings(for: envelope)
        #expect(found == wanted, "\(String(decoding: envelope.payload, as: UTF8.self)) \(envelope)")
        #expect(pruning.firstError(for: envelope) == thorough.firstError(for: envelope))
    }

    /// `isCleanPayload` is true exactly for bare payloads without findings.
    private mutating func expectSameCleanness(_ text: [UInt8], pushType: String?) {
        var reader = EnvelopeReader()
        var sourced = reader.read(SourceText(name: "a.ndjson", bytes: text))
        sourced.envelope.pushType = sourced.envelope.pushType ?? pushType
        let isClean = thorough.findings(for: sourced.envelope).isEmpty && sourced.envelope.kind == .payload
        #expect(
            text.withUnsafeBytes { pruning.isCleanPayload($0, pushType: pushType) } == isClean,
            "\(String(decoding: text, as: UTF8.self))")
    }

    @Test mutating func `a sample is a clean payload if every rule finds nothing`() throws {
        for sample in try Samples.all() {
            for pushType in LooksAtTests.pushTypes { expectSameCleanness(sample.source.bytes, pushType: pushType) }
        }
        for text in ["", " ", "{}", "[]", #"{"payload":{}}"#, #"{"payload":{},"aps":{}}"#, #"{"payload":{}}"#] {
            expectSameCleanness(Array(text.utf8), pushType: nil)
        }
    }

    private static let pushTypes: [String?] = PushType.known.map(\.rawValue) + [nil, "future"]

    @Test mutating func `no example of a rule has other findings when every rule runs`() {
        for example in Rule.all.flatMap({ $0.passes + $0.fails }) {
            var envelope = example.envelope
            expectSame(envelope)
            for pushType in LooksAtTests.pushTypes {
                envelope.pushType = pushType
                expectSame(envelope)
            }
        }
    }

    @Test mutating func `no sample has other findings when every rule runs`() throws {
        for sample in try Samples.all() { expectSame(sample.envelope) }
    }

    @Test(arguments: TestSeed.all(1...10))
    func `a random payload is clean if every rule finds nothing`(seed: TestSeed) {
        var test = self
        var payloads = RandomPayloads(seed: seed)
        for _ in 0..<200 {
            test.expectSameCleanness(
                payloads.next(), pushType: LooksAtTests.pushTypes[payloads.below(LooksAtTests.pushTypes.count)])
        }
    }

    @Test(arguments: TestSeed.all(1...15))
    func `no random payload has other findings when every rule runs`(seed: TestSeed) {
        var test = self
        var payloads = RandomPayloads(seed: seed)
        for _ in 0..<200 {
            let pushType = LooksAtTests.pushTypes[payloads.below(LooksAtTests.pushTypes.count)]
            let kinds: [Envelope.Kind] = [.payload, .apns, .envelope, .notification]
            let priorities = [nil, "5", "10"]
            test.expectSame(
                Envelope(
                    kind: kinds[payloads.below(kinds.count)], topic: "com.example.agent", pushType: pushType,
                    priority: priorities[payloads.below(priorities.count)], payload: payloads.next()))
        }
    }
}
