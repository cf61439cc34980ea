import APNSModel
import APNSProvider
import Testing

@testable import apns

struct ResultLineTests {
    private static let failed = APNSSendError(.connectionFailed, "no answer", isSafeToRetry: true)
    private static let lost = APNSSendError(.connectionLost, "gone", isSafeToRetry: false)

    private static func line(_ outcome: APNSOutcome) throws -> ResultLine {
        let notification = APNSNotification(
            to: try #require(DeviceToken("00112233445566778899aabb")), topic: try #require(Topic("com.example.a")),
            pushType: .alert, payload: [])
        var line = ResultLine(unsent: notification, failed)
        line.apnsID = "ID"
        line.outcome = outcome
        line.attempts = 1
        line.duration = .microseconds(3149)
        return line
    }

    @Test func `the json form has exactly the keys of the contract`() throws {
        #expect(
            try ResultLineTests.line(.accepted(apnsID: "A\"", uniqueID: "u")).json == """
                {"token":"00112233445566778899aabb","apns-id":"A\\"","apns-unique-id":"u","outcome":"accepted",\
                "status":200,"reason":null,"timestamp":null,"attempts":1,"milliseconds":3.1}
                """)
        #expect(
            try ResultLineTests.line(.refused(Refusal(.unregistered, apnsID: nil, timestamp: 1_454_948_015_990))).json
                == """
                {"token":"00112233445566778899aabb","apns-id":"ID","apns-unique-id":null,"outcome":"refused",\
                "status":410,"reason":"Unregistered","timestamp":1454948015990,"attempts":1,"milliseconds":3.1}
                """)
        let unknown = try ResultLineTests.line(.unknown(ResultLineTests.lost)).json
        #expect(unknown.contains(#""outcome":"unknown","status":null,"reason":null"#))
        #expect(unknown.hasSuffix(#","milliseconds":3.1,"error":"connection-lost","detail":"gone"}"#))
        let unsent = try ResultLineTests.line(.unsent(ResultLineTests.failed)).json
        #expect(unsent.hasSuffix(#","error":"connection-failed","detail":"no answer"}"#))
    }

    @Test func `the wait that the gateway asks for is shown in both forms`() throws {
        let line = try ResultLineTests.line(
            .refused(Refusal(.tooManyRequests, apnsID: "ID", retryAfter: .seconds(30))))
        #expect(line.json.hasSuffix(#","milliseconds":3.1,"retry-after":30}"#))
        #expect(line.text(style: .plain).contains("the gateway asks to wait 30"))
    }

    @Test func `people see a shortened device token and what to do`() throws {
        let refused = try ResultLineTests.line(.refused(Refusal(.badDeviceToken, apnsID: "ID"))).text(style: .plain)
        #expect(refused.hasPrefix("✗ 0011…aabb refused   BadDeviceToken (400)"))
        #expect(refused.contains("other environment"))
        let gone = try ResultLineTests.line(.refused(Refusal(.unregistered, apnsID: "ID", timestamp: 0)))
        #expect(gone.text(style: .plain).hasSuffix("(1970-01-01 00:00:00 UTC)"))
        let bare = try ResultLineTests.line(.refused(Refusal(Reason("", 404), apnsID: nil)))
        #expect(bare.text(style: .plain).contains("no reason (404)"))
        #expect(bare.json.contains(#""reason":null"#))
        #expect(
            try ResultLineTests.line(.accepted(apnsID: "ID", uniqueID: nil)).text(style: Style(isColoured: true))
                .hasPrefix("\u{1B}[32m✓\u{1B}[0m"))
    }
}
