import APNSModel
import GatewayCore
import GatewayJSON
import PayloadJSON
import Testing

struct RecordedLineTests {
    private static func read(_ line: [UInt8]) throws -> RecordedLine {
        var reader = JSONReader()
        return try RecordedLine(line, with: &reader)
    }

    @Test(arguments: ["ab12", "ff00"])
    func `a line that was recorded is read as it was judged`(token: String) throws {
        let payload = #"{"aps": {"alert": "Hi"}}"#
        var sample = try SampleWorld()
        let entry = try sample.entry(to: token, payload)
        let line = try Self.read(entry.json(withLife: false, world: .standard, keepsBytes: true).bytes)
        #expect(line.verdict == RecordedLine.Verdict(entry))
        #expect(line.verdict.outcome == (token == "ab12" ? "accepted" : "refused"))
        #expect(line.world == .standard && line.kind == .notification && line.environment == .sandbox)
        #expect(line.token == token && line.topic == "com.example.agent" && line.pushType == "alert")
        #expect(line.priority == "10" && line.expiration == nil && line.collapseID == nil && line.channelID == nil)
        #expect(line.apnsID == entry.verdict.apnsID)
        #expect(line.payload == Array(payload.utf8) && line.payloadBytes == payload.utf8.count)
        #expect(line.received == SampleWorld.now)
        #expect(line.isFromControl && !line.hasFault)
    }

    @Test(arguments: [
        ("nope", "it is not JSON"), ("[]", "it is not a JSON object"), ("{}", #"its key "payload" is missing"#),
        (#"{"world":"-x"}"#, #"its key "world""#), (#"{"payload-base64":"%"}"#, #"its key "payload-base64""#),
        (#"{"payload":{},"payload-bytes":"2"}"#, #"its key "payload-bytes" is missing or has the wrong type"#),
        (#"{"payload":{},"payload-bytes":2,"received":"noon"}"#, #"its key "received""#),
    ])
    func `a line that is not of a record says what is wrong`(line: String, wanted: String) {
        let fault = #expect(throws: RecordedLine.Fault.self) { try Self.read(Array(line.utf8)) }
        #expect(fault?.description.hasPrefix(wanted) == true, "\(fault?.description ?? "")")
    }

    @Test func `verdicts are compared field by field`() throws {
        var sample = try SampleWorld()
        let recorded = RecordedLine.Verdict(try sample.entry(to: "ff00"))
        #expect(recorded.differences(from: recorded).isEmpty)
        var now = recorded
        now.status = 410
        now.reason = nil
        #expect(
            recorded.differences(from: now).map { "\($0.field): \($0.recorded), \($0.now)" } == [
                "status: 400, 410", "reason: BadDeviceToken, none",
            ])
    }
}
