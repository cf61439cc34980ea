import APNSModel
import APNSProvider
import PayloadJSON
import TestSeeds
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
        line.nanoseconds = 3_149_000
        return line
    }

    @Test func `the json form has exactly the keys of the contract`() throws {
        #expect(
            try ResultLineTests.line(.accepted(apnsID: NotificationID(known: "A\""), uniqueID: "u")).json == """
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
            .refused(Refusal(.tooManyRequests, apnsID: NotificationID(known: "ID"), retryAfter: .seconds(30))))
        #expect(line.json.hasSuffix(#","milliseconds":3.1,"retry-after":30}"#))
        #expect(line.text(style: .plain).contains("the gateway asks to wait 30"))
    }

    /// The object as strings of the JSON writer make it.
    private static func expected(_ line: ResultLine) -> String {
        func quoted(_ text: String?) -> String { text.map { JSONWriter.quoted($0) } ?? "null" }
        var (apnsID, uniqueID): (String?, String?) = (line.apnsID.isEmpty ? nil : line.apnsID, nil)
        var (status, reason, timestamp, more) = ("null", "null", "null", "")
        switch line.outcome {
        case .accepted(let id, let unique): (apnsID, uniqueID, status) = (id.text, unique, "200")
        case .refused(let refusal):
            apnsID = refusal.apnsID?.text ?? apnsID
            status = "\(refusal.reason.status)"
            reason = quoted(refusal.reason.code.isEmpty ? nil : refusal.reason.code)
            timestamp = refusal.timestamp.map { "\($0)" } ?? "null"
            if let wait = refusal.retryAfter { more = ",\"retry-after\":\(wait.components.seconds)" }
        case .unsent(let error), .unknown(let error):
            more = ",\"error\":\(quoted(error.code.rawValue)),\"detail\":\(quoted(error.detail))"
        }
        if let number = line.line { more += ",\"line\":\(number)" }
        let milliseconds = DurationText.decimal(Duration.nanoseconds(line.nanoseconds).inMilliseconds, places: 1)
        return "{\"token\":\(quoted(line.deviceToken.hex)),\"apns-id\":\(quoted(apnsID)),\"apns-unique-id\":"
            + "\(quoted(uniqueID)),\"outcome\":\"\(line.outcome.name)\",\"status\":\(status),\"reason\":\(reason),"
            + "\"timestamp\":\(timestamp),\"attempts\":\(line.attempts),\"milliseconds\":\(milliseconds)\(more)}"
    }

    @Test(arguments: TestSeed.all(1...100))
    func `the bytes are those of the JSON writer, for odd strings too`(seed: TestSeed) throws {
        var generator = seed.generator
        func text() -> String { SafeTextTests.text(using: &generator) }
        for _ in 0..<10 {
            let error = APNSSendError(.init(rawValue: text()), text(), isSafeToRetry: true)
            let outcomes: [APNSOutcome] = [
                .accepted(
                    apnsID: NotificationID(known: text()), uniqueID: Bool.random(using: &generator) ? text() : nil),
                .refused(
                    Refusal(
                        Reason(text(), Int.random(in: 100...999, using: &generator)),
                        apnsID: Bool.random(using: &generator) ? NotificationID(known: text()) : nil,
                        timestamp: Bool.random(using: &generator)
                            ? Int64.random(in: -9...9_999_999, using: &generator) : nil,
                        retryAfter: Bool.random(using: &generator) ? .seconds(7) : nil)), .unsent(error),
                .unknown(error),
            ]
            var line = try ResultLineTests.line(outcomes.randomElement(using: &generator) ?? outcomes[0])
            line.deviceToken = DeviceToken(recorded: text())
            line.apnsID = text()
            line.nanoseconds = Int64.random(in: -5...100_000_000_000, using: &generator)
            line.attempts = Int.random(in: 0...3, using: &generator)
            line.line = Bool.random(using: &generator) ? Int.random(in: 1...1_000_000, using: &generator) : nil
            #expect(line.json == ResultLineTests.expected(line))
            let shown = line.text(style: .plain)
            #expect(shown == shown.split(separator: "\n").map { PlainText.safe($0) }.joined(separator: "\n"))
            #expect(shown.contains(PlainText.safe(line.deviceToken.shortened)))
        }
    }

    @Test func `what was not accepted has its line in both forms`() throws {
        var line = try ResultLineTests.line(.refused(Refusal(.badDeviceToken, apnsID: NotificationID(known: "ID"))))
        line.line = 17
        #expect(line.text(style: .plain).split(separator: "\n").first?.hasSuffix("apns-id ID  line 17") == true)
        #expect(line.json.hasSuffix(#","line":17}"#))
    }

    @Test func `people see a shortened device token and what to do`() throws {
        let refused = try ResultLineTests.line(.refused(Refusal(.badDeviceToken, apnsID: NotificationID(known: "ID"))))
            .text(style: .plain)
        #expect(refused.hasPrefix("✗ 0011…aabb refused   BadDeviceToken (400)"))
        #expect(refused.contains("other environment"))
        let gone = try ResultLineTests.line(
            .refused(Refusal(.unregistered, apnsID: NotificationID(known: "ID"), timestamp: 0)))
        #expect(gone.text(style: .plain).hasSuffix("(1970-01-01 00:00:00 UTC)"))
        let bare = try ResultLineTests.line(.refused(Refusal(Reason("", 404), apnsID: nil)))
        #expect(bare.text(style: .plain).contains("no reason (404)"))
        #expect(bare.json.contains(#""reason":null"#))
        #expect(
            try ResultLineTests.line(.accepted(apnsID: NotificationID(known: "ID"), uniqueID: nil)).text(
                style: Style(isColoured: true)
            )
            .hasPrefix("\u{1B}[32m✓\u{1B}[0m"))
    }
}
