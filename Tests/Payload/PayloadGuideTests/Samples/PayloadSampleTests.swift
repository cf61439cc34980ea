import APNSModel
import APNSPayload
import PayloadJSON
import Testing

@testable import PayloadGuide

struct PayloadSampleTests {
    static let now: PushDate = 1_800_000_000

    /// Every push type, a Live Activity with each event.
    static let samples: [PayloadSample] = PushType.known.flatMap { type in
        (type == .liveactivity ? PayloadSample.Event.allCases : [.update]).compactMap {
            PayloadSample(type, event: $0, now: now)
        }
    }

    /// What `apns validate --push-type TYPE` finds in a file.
    private static func findings(_ text: [UInt8], _ type: PushType? = nil) -> [Finding] {
        var reader = EnvelopeReader()
        var validator = Validator()
        validator.now = now.secondsSince1970
        var envelope = reader.read(SourceText(name: "push.json", bytes: text)).envelope
        if envelope.pushType == nil { envelope.pushType = type?.rawValue }
        return validator.findings(for: envelope)
    }

    @Test func `there is a sample of each push type, and none of an unknown one`() {
        #expect(Set(Self.samples.map(\.pushType)) == Set(PushType.known))
        #expect(Self.samples.count == PushType.known.count + 2)
        #expect(PayloadSample(PushType(rawValue: "news"), now: Self.now) == nil)
    }

    @Test(arguments: samples) func `the validator finds nothing in a sample`(sample: PayloadSample) {
        for text in [sample.payload, IndentedJSON.text(sample.payload)] {
            #expect(Self.findings(text, sample.pushType) == [], "\(String(decoding: text, as: UTF8.self))")
        }
    }

    @Test(arguments: samples) func `the validator finds nothing in its envelope`(sample: PayloadSample) throws {
        let app = PayloadSample.exampleTopic(for: sample.pushType)
        let token = try #require(DeviceToken(String(repeating: "ab", count: 32)))
        for envelope in [sample.envelope(to: nil, of: app), sample.envelope(to: token, of: app)] {
            let text = IndentedJSON.text(envelope.json.bytes)
            #expect(Self.findings(text) == [], "\(String(decoding: text, as: UTF8.self))")
        }
    }

    @Test func `the envelope has the headers that the push type needs`() throws {
        let sample = try #require(PayloadSample(.voip, now: Self.now))
        let envelope = sample.envelope(to: nil, of: PayloadSample.exampleTopic(for: .voip))
        let text = String(decoding: envelope.json.bytes, as: UTF8.self)
        #expect(
            text.hasPrefix(
                #"{"apns-topic":"com.example.agent.voip","apns-push-type":"voip","apns-priority":10,"apns-expiration":0,"#
                    + #""payload":{"#), "\(text)")
        #expect(sample.advice.contains(".voip") && sample.advice.contains("expiration 0"))
    }

    @Test(arguments: samples) func `indented JSON is the same JSON`(sample: PayloadSample) {
        let indented = IndentedJSON.text(sample.payload)
        #expect(CompactJSON.compact(indented, in: indented.indices).bytes == sample.payload)
    }

    @Test func `white space, brackets and escapes in strings stay, and empty objects are short`() {
        let compact = #"{"a":"{ \"x\": [1,2] \\","b":{},"c":[],"d":[1,{"e":null}]}"#
        let text = String(decoding: IndentedJSON.text(Array(compact.utf8)), as: UTF8.self)
        #expect(
            text == """
                {
                  "a": "{ \\"x\\": [1,2] \\\\",
                  "b": {},
                  "c": [],
                  "d": [
                    1,
                    {
                      "e": null
                    }
                  ]
                }
                """)
    }
}

extension PayloadSample: CustomTestStringConvertible {
    public var testDescription: String { "\(pushType) \(String(decoding: payload, as: UTF8.self))" }
}
