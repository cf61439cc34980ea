import APNSModel
import APNSPayload
import PayloadJSON
import TestSeeds
import Testing

/// A rule runs once for all payloads with the same forms, except for the values in its `reads`. These tests change
/// values, and compare the findings with those of every rule for each payload.
struct ReadsTests {
    private var validator = Validator()
    private var thorough = Validator(rules: Rule.all, prunes: false)

    /// - Returns: How many findings there are.
    @discardableResult
    private mutating func expectSame(_ text: [UInt8], topic: String?, pushType: String?) -> Int {
        var reader = EnvelopeReader()
        let source = SourceText(name: "a.ndjson", bytes: text, firstLine: 7)
        let sourced = reader.read(source)
        let found = text.withUnsafeBytes { validator.findings(forPayload: $0, topic: topic, pushType: pushType) }
        // A faulty `payload-base64` is read by the general reader, as envelopes are.
        guard sourced.envelope.kind == .payload, sourced.envelope.problems.isEmpty else {
            #expect(found == nil, "\(String(decoding: text, as: UTF8.self))")
            return 0
        }
        var envelope = sourced.envelope
        envelope.topic = topic
        envelope.pushType = pushType
        let wanted = thorough.findings(for: envelope)
        #expect(found == wanted, "\(String(decoding: text, as: UTF8.self)) \(topic ?? "-") \(pushType ?? "-")")
        #expect(
            found.map { LocatedFinding.locate($0, inPayload: source) } == LocatedFinding.locate(wanted, in: sourced))
        return wanted.count
    }

    private static let pushTypes: [String?] = PushType.known.map(\.rawValue) + [nil, "future"]
    private static let topics: [String?] = [
        nil, "com.example.agent", "com.example.agent.voip", "com.example.agent.push-type.liveactivity",
        "web.com.example", "pass.com.example.ticket", "com.apple.mgmt.External.1",
        "com.example.agent.pushkit.fileprovider", "com.example.agent.push-type.widgets",
    ]

    /// The headers for each run. The default seeds cover all of them.
    private static let headers: [(topic: String?, pushType: String?)] =
        topics.map { ($0, nil) } + pushTypes.compactMap { $0 }.flatMap { [(nil, $0), ("com.example.agent", $0)] }

    @Test(arguments: TestSeed.all(0..<UInt64(headers.count)))
    func `an example has the same findings after others of its forms`(seed: TestSeed) {
        var test = self
        var changes = Changes(seed: seed)
        var count = 0
        let (topic, pushType) = ReadsTests.headers[Int(seed.value % UInt64(ReadsTests.headers.count))]
        // A fifth of the examples for each header, others for the next; all where `APNS_EACH` is set.
        let examples = Rule.all.flatMap { $0.passes + $0.fails }
        for (number, example) in examples.enumerated() where TestSeed.isEach || (number + Int(seed.value % 5)) % 5 == 0
        {
            let text = Array(example.payload.utf8)
            count += test.expectSame(text, topic: topic, pushType: pushType)
            for _ in 0..<4 {
                count += test.expectSame(changes.changed(text), topic: topic, pushType: pushType)
            }
            count += test.expectSame(text, topic: topic, pushType: pushType)
        }
        #expect(count > 20)
    }

    @Test(arguments: TestSeed.all(1...10))
    func `a random payload has the same findings after others of its forms`(seed: TestSeed) {
        var test = self
        var payloads = RandomPayloads(seed: seed)
        var changes = Changes(seed: seed)
        for topic in ReadsTests.topics {
            for _ in 0..<40 {
                let text = payloads.next()
                test.expectSame(text, topic: topic, pushType: nil)
                for _ in 0..<4 { test.expectSame(changes.changed(text), topic: topic, pushType: nil) }
            }
        }
    }

    @Test mutating func `text that is not JSON, envelopes and simulator files have the same findings`() {
        for text in [
            " ", "{", "[]", "7", #"{"aps":{}"#, "{'aps':{}}", #"{"payload":{}}"#, #"{"payload":{},"aps":{}}"#,
            #"{"Simulator Target Bundle":"com.example","aps":{}}"#, "\u{FEFF}{}", "null",
        ] {
            expectSame(Array(text.utf8), topic: nil, pushType: nil)
        }
        let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
        #expect(validator.findings(forPayload: nothing)?.map(\.rule) == ["payload-empty"])
    }
}

/// Replaces strings and numbers of a payload by others of the same form.
private struct Changes {
    private var generator: TestGenerator

    init(seed: TestSeed) { generator = seed.generator }

    mutating func changed(_ text: [UInt8]) -> [UInt8] {
        guard let document = try? JSONDocument(text) else { return text }
        var values = [JSONIndex.root]
        for object in document.objects { values += document.members(of: object).map(\.value) }
        for array in values { values += document.elements(of: array) }
        var changed = text
        let scalars = Dictionary(values.map { (document.range(of: $0).lowerBound, $0) }) { $1 }
        for (_, value) in scalars.sorted(by: { $0.key > $1.key }) {
            guard let other = other(than: document.form(of: value)) else { continue }
            changed.replaceSubrange(document.range(of: value), with: other.utf8)
        }
        return changed
    }

    private mutating func other(than form: JSONForm) -> String? {
        switch form {
        case .string:
            [
                #""a""#, #""start""#, #""update""#, #""end""#, #""active""#, #""Active""#, #""VISIT %@ %d""#,
                #""%1$@""#,
                #""ACCOUNT_UPDATE""#, #""INTERACTION""#, #""\u0031""#, #""1""#, #""YWJj""#, #""default""#, #"" ""#,
                #""001xx000003DGb2AAG""#, #""é""#,
            ].randomElement(using: &generator)
        case .smallInteger: ["2", "75", "100", "1767225", "999999999"].randomElement(using: &generator)
        case .tenDigits: ["1000000000", "1767225600", "9999999999"].randomElement(using: &generator)
        case .fraction: ["0.5", "0.001", "0.999", "0.10"].randomElement(using: &generator)
        default: nil
        }
    }
}
