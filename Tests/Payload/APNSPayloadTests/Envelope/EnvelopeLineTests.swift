import APNSModel
import APNSPayload
import TestSeeds
import Testing

/// An envelope in its usual form is known to be clean without reading it in the general way. These tests compare both ways.
struct EnvelopeLineTests {
    private var validator = Validator()
    private var thorough = Validator()

    /// - Returns: Whether the line was known to be clean.
    private mutating func isKnownClean(_ text: String, topic: String? = nil, pushType: String? = nil) -> Bool {
        let bytes = Array(text.utf8)
        let found = bytes.withUnsafeBytes { validator.findings(forLine: $0, topic: topic, pushType: pushType) }
        var reader = EnvelopeReader()
        var sourced = reader.read(SourceText(name: "a.ndjson", bytes: bytes))
        sourced.envelope.topic = sourced.envelope.topic ?? topic
        sourced.envelope.pushType = sourced.envelope.pushType ?? pushType
        let wanted = thorough.findings(for: sourced.envelope)
        // Nil leaves the decision to the general reader, which is right for every envelope.
        if let found { #expect(found == wanted, "\(text)") }
        return found?.isEmpty ?? false
    }

    private static let token = "00fc13adff785122b4ad28809a3420982341241421348097878e577c991de8f0"
    private static let id = "9d1f3c2a-5b6e-4f70-8a91-b2c3d4e5f607"

    @Test mutating func `usual envelopes are known to be clean`() {
        let head = #""token":"\#(EnvelopeLineTests.token)","apns-topic":"com.example.agent""#
        for text in [
            #"{\#(head),"apns-push-type":"background","apns-priority":5,"payload":{"aps":{"content-available":1}}}"#,
            #"{\#(head),"apns-push-type":"background","apns-priority":"5","payload":{"aps":{"content-available":1},"a":{"b":[1]}}}"#,
            #"{\#(head),"apns-push-type":"alert","apns-id":"\#(EnvelopeLineTests.id)","apns-expiration":0,"apns-collapse-id":"a b","payload":{"aps":{"alert":"Hi"}}}"#,
            #"{"payload":{"aps":{"alert":{"title":"Zürich"}}},"apns-push-type":"alert","apns-expiration":1798761600}"#,
        ] {
            #expect(isKnownClean(text), "\(text)")
        }
        #expect(isKnownClean(#"{"payload":{"aps":{"alert":"Hi"}}}"#, topic: "com.example.agent", pushType: "alert"))
    }

    @Test(arguments: TestSeed.all(1...12))
    func `a random envelope known to be clean has no findings`(seed: TestSeed) {
        var test = self
        var generator = seed.generator
        var payloads = RandomPayloads(seed: seed)
        var clean = 0
        test.validator.now = 1_767_225_600
        test.thorough.now = 1_767_225_600
        let values: [(String, [String])] = [
            ("token", [EnvelopeLineTests.token, "ab12", "xyz", EnvelopeLineTests.token + "0"]),
            ("apns-topic", ["com.example.agent", "com.example.agent.voip", ".a", "com.apple.mgmt.External.1"]),
            ("apns-push-type", ["alert", "background", "voip", "hologram", "liveactivity", "alert "]),
            ("apns-priority", ["5", "10", "1", "7"]),
            ("apns-expiration", ["0", "1767226000", "1798761600000", "3600", "1998761600", "-1", "x"]),
            ("apns-collapse-id", ["a", "", " a", "a\\nb", String(repeating: "x", count: 65), "é"]),
            ("apns-id", [EnvelopeLineTests.id, "x"]), ("apns-channel-id", ["YQ=="]), ("apns-topics", ["x"]),
        ]
        for _ in 0..<400 {
            var members: [String] = []
            for (key, choices) in values where Bool.random(using: &generator) {
                // The first choice is right, and most are.
                let choice =
                    Int.random(in: 0..<4, using: &generator) > 0
                    ? 0 : Int.random(in: choices.indices, using: &generator)
                let isLast = key.hasPrefix("apns-channel") || key == "apns-topics"
                guard !isLast || Int.random(in: 0..<10, using: &generator) == 0 else { continue }
                let isNumber = (key == "apns-priority" || key == "apns-expiration") && Bool.random(using: &generator)
                let value = isNumber && Int(choices[choice]) != nil ? choices[choice] : "\"\(choices[choice])\""
                members.append("\"\(key)\":\(value)")
            }
            let payload =
                Bool.random(using: &generator)
                ? #"{"aps":{"content-available":1}}"# : String(decoding: payloads.next(), as: UTF8.self)
            members.append("\"payload\":\(payload)")
            members.shuffle(using: &generator)
            let separator = Int.random(in: 0..<10, using: &generator) == 0 ? ", " : ","
            clean += test.isKnownClean("{\(members.joined(separator: separator))}") ? 1 : 0
        }
        #expect(clean > 0)
    }

    @Test mutating func `more kinds of headers than are kept, in turn`() {
        for round in 0..<3 {
            for number in 0..<50 {
                #expect(
                    isKnownClean(
                        #"{"apns-topic":"com.example.a\#(number)","apns-push-type":"alert","payload":{"aps":{"alert":"\#(round)"}}}"#
                    ))
            }
        }
    }
}
