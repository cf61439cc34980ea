import APNSModel
import APNSPayload
import APNSProvider
import Testing

@testable import apns

struct NotificationPreviewTests {
    static let hex = String(repeating: "0", count: 62) + "ab"

    static func notification(_ payload: String = #"{"aps":{"alert":"Hi"}}"#) throws -> APNSNotification {
        APNSNotification(
            to: try #require(DeviceToken(hex)), topic: try #require(Topic("com.example.agent")), pushType: .alert,
            priority: .powerConsiderate, expiration: Expiration(secondsSince1970: 1_800_000_000),
            collapseID: CollapseID("visit-7"), id: NotificationID("8e2a5c0b-3f1d-4c7a-9b60-1d2e3f405162"),
            payload: Array(payload.utf8))
    }

    private static func preview(_ payload: String = #"{"aps":{"alert":"Hi"}}"#) throws -> NotificationPreview {
        let notification = try notification(payload)
        var validator = Validator()
        return NotificationPreview(
            notification: notification, gateway: APNSGateway(host: "127.0.0.1", port: 8443),
            findings: Array(validator.findings(for: Envelope(notification)).filter { $0.severity >= .warning }))
    }

    @Test func `the text has request line, header fields and body, and no whole token`() throws {
        let text = try NotificationPreviewTests.preview().text(authorization: "bearer (not shown)")
        #expect(
            text == """
                POST https://127.0.0.1:8443/3/device/0000…00ab
                  authorization: bearer (not shown)
                  apns-topic: com.example.agent
                  apns-push-type: alert
                  apns-id: 8e2a5c0b-3f1d-4c7a-9b60-1d2e3f405162
                  apns-priority: 5
                  apns-expiration: 1800000000  (2027-01-15 08:00:00 UTC)
                  apns-collapse-id: visit-7

                  {"aps":{"alert":"Hi"}}
                  22 of at most 4096 bytes
                """)
    }

    @Test func `a body is shown line by line without control characters`() throws {
        let text = try NotificationPreviewTests.preview("{\n \"a\": \"\u{1B}[31m\"\n}").text(authorization: nil)
        #expect(text.contains("  {\n   \"a\": \"\u{FFFD}[31m\"\n  }\n"))
        #expect(!text.contains("authorization"))
    }

    @Test func `the JSON is an envelope that a batch sends unchanged`() throws {
        let json = try NotificationPreviewTests.preview().json
        #expect(!json.contains("\n"))
        var reader = EnvelopeReader()
        let sourced = reader.read(SourceText(name: "x", bytes: Array(json.utf8)))
        #expect(try sourced.envelope.notification() == NotificationPreviewTests.notification())
        #expect(json.hasSuffix(#","gateway":"https://127.0.0.1:8443","bytes":22,"findings":[]}"#))
    }

    @Test(arguments: ["{\n}", "no JSON", "{} {}"])
    func `a payload that is not JSON in one line is base64`(payload: String) throws {
        let json = try NotificationPreviewTests.preview(payload).json
        #expect(json.contains(#""payload-base64":""#) && !json.contains(#""payload":"#))
        var reader = EnvelopeReader()
        let sourced = reader.read(SourceText(name: "x", bytes: Array(json.utf8)))
        #expect(sourced.envelope.payload == Array(payload.utf8))
    }

    @Test func `findings are in the JSON`() throws {
        let preview = try NotificationPreviewTests.preview(#"{"aps":{"content-available":1,"alert":7}}"#)
        #expect(preview.hasError)
        #expect(preview.json.contains(#""pointer":"/aps/alert","message":"#), "\(preview.json)")
    }
}
