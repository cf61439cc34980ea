import APNSModel
import GatewayCore
import GatewayJSON
import PayloadJSON
import Testing

struct NotificationJSONTests {
    private static func payload(_ text: String, omittedBytes: Int = 0, keepsBytes: Bool = false) -> String {
        JSONText.object { $0.addPayload(Array(text.utf8), omittedBytes: omittedBytes, keepsBytes: keepsBytes) }.text
    }

    @Test func `a payload is shown as JSON without white space`() {
        #expect(Self.payload(#"{"a": 1}"#) == #"{"payload":{"a":1}}"#)
        #expect(Self.payload(#"{"a":1}"#, keepsBytes: true) == #"{"payload":{"a":1}}"#)
        #expect(Self.payload(#"{"a": 1}"#, keepsBytes: true) == #"{"payload":{"a":1},"payload-base64":"eyJhIjogMX0="}"#)
    }

    @Test func `a payload that is not JSON, or not whole, is shown as its bytes`() {
        #expect(Self.payload("nope") == #"{"payload-base64":"bm9wZQ=="}"#)
        #expect(Self.payload(#"{"a":1}"#, omittedBytes: 1) == #"{"payload-base64":"eyJhIjoxfQ=="}"#)
    }

    @Test func `an entry has the keys of the envelope and its verdict`() throws {
        var sample = try SampleWorld()
        let entry = try sample.entry()
        let text = entry.json(withLife: false).text
        #expect(
            text.hasPrefix(
                #"{"apns-unique-id":"\#(entry.uniqueID)","token":"ab12","apns-topic":"com.example.agent","#
                    + #""apns-push-type":"alert","apns-priority":10,"apns-id":"\#(entry.verdict.apnsID)","#
                    + #""payload":{"aps":{"alert":"Hi"}},"payload-bytes":24,"outcome":"accepted","status":200,"#
                    + #""reason":null,"why":"#), "\(text)")
        #expect(text.contains(#","received":"2026-11-21T07:00:00.000Z","environment":"sandbox","#))
        #expect(text.contains(#","verified":false,"#))
        #expect(text.contains(#","sent-by":"control","#))
        #expect(!text.contains(#""world":"#) && !text.contains(#""life":"#))
        let whole = entry.json(withLife: true, world: .standard).text
        #expect(whole.contains(#""world":"default","#) && whole.contains(#""life":[{"stage":"accepted","at":"#))
    }

    @Test func `a header that is not a number is shown as it was sent`() throws {
        var sample = try SampleWorld()
        let entry = try sample.entry(priority: "high")
        let text = entry.json(withLife: false).text
        #expect(text.contains(#""apns-priority":"high","#))
        #expect(text.contains(#""outcome":"refused","status":400,"reason":"BadPriority","#))
    }

    @Test func `the first line of a life has the verdict`() throws {
        var sample = try SampleWorld()
        let entry = try sample.entry(to: "ff00")
        let text = entry.firstLine.text
        #expect(
            text.contains(#""token":"ff00","apns-topic":"com.example.agent","stage":"refused","at":"2026-11-21T07:00"#))
        #expect(text.hasSuffix(#","status":400,"reason":"BadDeviceToken"}"#))
    }
}
