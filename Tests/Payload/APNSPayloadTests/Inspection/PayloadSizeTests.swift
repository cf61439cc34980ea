import APNSModel
import APNSPayload
import Testing

struct PayloadSizeTests {
    private func size(_ payload: String, limit: Int? = 4096) -> PayloadSize {
        PayloadSize(of: Array(payload.utf8), limit: limit)
    }

    @Test func `every byte is counted once`() throws {
        for sample in try Samples.all() {
            let size = PayloadSize(of: sample.envelope)
            let frame = size.bytes - size.whiteSpaceBytes - size.parts.reduce(0) { $0 + $1.bytes }
            guard !size.parts.isEmpty else { continue }
            #expect(frame == size.parts.count + 1, "two brackets, and one comma fewer than members")
            for part in size.parts where !part.parts.isEmpty {
                #expect(
                    part.bytes == "\"\(part.name)\":{}".utf8.count + part.parts.count - 1
                        + part.parts.reduce(0) { $0 + $1.bytes })
            }
        }
    }

    @Test func `the parts of aps are named and measured without white space`() {
        let size = size(#"{ "aps" : { "alert" : { "title" : "Hi" } , "badge" : 1 }, "id" : "a b" }"#)
        #expect(size.parts.map(\.name) == ["aps", "id"])
        #expect(
            size.parts.map(\.bytes) == [
                #""aps":{"alert":{"title":"Hi"},"badge":1}"#.utf8.count, #""id":"a b""#.utf8.count,
            ])
        #expect(size.parts[0].parts.map(\.name) == ["aps.alert", "aps.badge"])
        #expect(size.parts[0].parts[0].parts.map(\.name) == ["aps.alert.title"])
        #expect(size.whiteSpaceBytes == 19)
    }

    @Test func `remaining bytes depend on push type and channel, and the topic does not raise them`() {
        let left = { (envelope: Envelope) in PayloadSize(of: envelope).remainingBytes }
        let payload = Array("{}".utf8)
        #expect(left(Envelope(pushType: "alert", payload: payload)) == 4094)
        #expect(left(Envelope(pushType: "voip", payload: payload)) == 5118)
        #expect(left(Envelope(topic: "com.example.agent.voip", pushType: "voip", payload: payload)) == 5118)
        #expect(left(Envelope(topic: "com.example.agent.voip", payload: payload)) == nil)
        #expect(left(Envelope(kind: .apns, topic: "com.example.voip", payload: payload)) == 4094)
        #expect(left(Envelope(topic: "com.example.agent", payload: payload)) == 4094)
        #expect(left(Envelope(pushType: "liveactivity", channelID: "dHN0", payload: payload)) == 5118)
        #expect(left(Envelope(token: "ab12", pushType: "liveactivity", channelID: "dHN0", payload: payload)) == 4094)
        #expect(left(Envelope(kind: .apns, payload: payload)) == 4094)
        #expect(left(Envelope(kind: .payload, payload: payload)) == nil)
        #expect(Envelope(payload: payload).remainingBytes(for: .voip) == 5118)
        #expect(size("{}", limit: 1).remainingBytes == -1)
    }

    @Test(arguments: [
        ("", 0), ("é", 0), (#"\u00e9"#, 4), (#"\u20AC"#, 3), (#"\ud83d\ude00"#, 8), (#"\u0041"#, 5), (#"\u0007"#, 0),
        (#"\/"#, 1), (#"\n\"\\"#, 0), (#"\\u00e9"#, 0), (#"\u0022"#, 4),
    ])
    func `escapes that UTF-8 does not need are counted`(text: String, saved: Int) {
        #expect(size(#"{"x":"\#(text)"}"#).escapeBytes == saved)
    }

    @Test func `the table has a line for each part and for the excess`() {
        #expect(
            size(#"{"aps":{"alert":"Hi"}, "n":1}"#, limit: 20).table == """
                20  aps
                12  aps.alert
                 5  n
                 3  (brackets and commas)
                 1  (white space)
                29  total
                20  limit
                 9  over

                """)
        #expect(size("nonsense", limit: nil).table == "8  total\n")
    }

    @Test func `the message about too many bytes names the largest parts`() throws {
        var validator = Validator()
        let text = String(repeating: "x", count: 4000)
        let payload =
            #"{"aps":{"alert":{"title":"Hi","body":"\#(text)"}},"id":"\#(String(repeating: "7", count: 100))"}"#
        let found = validator.firstError(for: Envelope(pushType: "alert", payload: Array(payload.utf8)))
        let finding = try #require(found)
        #expect(finding.rule == "payload-too-large")
        #expect(finding.message.hasSuffix("over; largest parts: aps.alert.body 4009, id 107, aps.alert.title 12"))
    }

    @Test func `only a stated push type gives an envelope with a VoIP topic more than 4096 bytes`() {
        var validator = Validator()
        func errors(_ headers: String) -> [String] {
            let value = String(repeating: "y", count: 4300)
            let text = #"{\#(headers)"apns-topic":"com.example.agent.voip","payload":{"x":"\#(value)"}}"#
            var reader = EnvelopeReader()
            let envelope = reader.read(SourceText(name: "call.json", bytes: Array(text.utf8))).envelope
            return validator.findings(for: envelope).filter { $0.severity == .error }.map(\.rule)
        }
        let unstated = errors("")
        #expect(unstated == ["payload-fits-voip-only"])
        let stated = errors(#""apns-push-type":"voip","#)
        #expect(stated.isEmpty, "\(stated)")
    }

    @Test func `text that is not JSON has a size and no parts`() {
        for text in ["", "{", "[1,2]", "7"] {
            #expect(size(text).bytes == text.utf8.count)
            #expect(size(text).parts.isEmpty)
        }
    }
}
