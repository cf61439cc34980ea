import APNSModel
import APNSProvider
import Testing

@testable import apns

struct ResultTests {
    private static let failed = APNSSendError(.connectionFailed, "nobody there", isSafeToRetry: true)
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
            try ResultTests.line(.accepted(apnsID: "A\"", uniqueID: "u")).json == """
                {"token":"00112233445566778899aabb","apns-id":"A\\"","apns-unique-id":"u","outcome":"accepted",\
                "status":200,"reason":null,"timestamp":null,"attempts":1,"milliseconds":3.1}
                """)
        #expect(
            try ResultTests.line(.refused(Refusal(.unregistered, apnsID: nil, timestamp: 1_454_948_015_990))).json
                == """
                {"token":"00112233445566778899aabb","apns-id":"ID","apns-unique-id":null,"outcome":"refused",\
                "status":410,"reason":"Unregistered","timestamp":1454948015990,"attempts":1,"milliseconds":3.1}
                """)
        let unknown = try ResultTests.line(.unknown(ResultTests.lost)).json
        #expect(unknown.contains(#""outcome":"unknown","status":null,"reason":null"#))
    }

    @Test func `people see a shortened device token and what to do`() throws {
        let refused = try ResultTests.line(.refused(Refusal(.badDeviceToken, apnsID: "ID"))).text(style: .plain)
        #expect(refused.hasPrefix("✗ 0011…aabb refused   BadDeviceToken (400)"))
        #expect(refused.contains("other environment"))
        let gone = try ResultTests.line(.refused(Refusal(.unregistered, apnsID: "ID", timestamp: 0)))
        #expect(gone.text(style: .plain).hasSuffix("(1970-01-01 00:00:00 UTC)"))
        let bare = try ResultTests.line(.refused(Refusal(Reason("", 404), apnsID: nil)))
        #expect(bare.text(style: .plain).contains("no reason (404)"))
        #expect(bare.json.contains(#""reason":null"#))
        #expect(
            try ResultTests.line(.accepted(apnsID: "ID", uniqueID: nil)).text(style: Style(isColoured: true))
                .hasPrefix("\u{1B}[32m✓\u{1B}[0m"))
    }

    @Test func `the status is 2 only when nothing ever got as far as a connection`() {
        var tally = SendTally()
        #expect(tally.exitStatus == .failed)
        tally.count(.unsent(ResultTests.failed), attempts: 0)
        #expect(tally.couldDoNothing && tally.exitStatus == .failed)
        tally.count(.accepted(apnsID: "a", uniqueID: nil), attempts: 1)
        #expect(!tally.couldDoNothing && tally.exitStatus == .no)
    }

    @Test func `the status is 0 only when all of the input was accepted`() {
        var good = SendTally()
        good.count(.accepted(apnsID: "a", uniqueID: nil), attempts: 1)
        #expect(good.exitStatus == .done)
        for change in [
            { $0.badLines = 1 }, { $0.notRead = 1 }, { $0.isRestUnknown = true }, { $0.isInterrupted = true },
            { $0.count(.unknown(ResultTests.lost), attempts: 1) },
        ] as [(inout SendTally) -> Void] {
            var tally = good
            change(&tally)
            #expect(tally.exitStatus == .no)
        }
    }

    @Test func `the summary counts exactly, and warns of what may have been delivered`() {
        var tally = SendTally()
        tally.count(.accepted(apnsID: "a", uniqueID: nil), attempts: 1)
        #expect(
            tally.summary(after: .seconds(2))
                == "1 notification in 2.00 s: 1 accepted, 0 refused, 0 unsent, 0 unknown")
        tally.count(.unknown(ResultTests.lost), attempts: 1)
        tally.badLines = 1
        tally.notRead = 7
        let text = tally.summary(after: .seconds(2))
        #expect(text.contains("1 accepted, 0 refused, 0 unsent, 1 unknown; 1 bad line; 7 not read"))
        #expect(text.contains("may have been delivered"))
        tally.isRestUnknown = true
        #expect(tally.summary(after: .zero).contains("7 and the rest of the input not read"))
    }
}
