import APNSModel
import APNSProvider
import PayloadJSON
import Testing

@testable import apns

struct RecordedVerdictTests {
    private func verdict(_ outcome: String) -> RecordedVerdict? {
        var reader = JSONReader()
        return RecordedVerdict(
            Array(#"{"token":"ab12","payload":{},"received":"x","verified":true,\#(outcome)}"#.utf8), place: "r:1",
            with: &reader)
    }

    @Test func `what is answered as recorded is no difference`() throws {
        let accepted = try #require(verdict(#""outcome":"accepted","status":200,"reason":null"#))
        #expect(accepted.difference(from: .accepted(apnsID: NotificationID(known: "a"), uniqueID: nil)) == nil)
        let refused = try #require(verdict(#""outcome":"refused","status":400,"reason":"BadTopic""#))
        #expect(refused.difference(from: .refused(Refusal(.badTopic, apnsID: NotificationID(known: "a")))) == nil)
        #expect(
            accepted.difference(from: .refused(Refusal(.badTopic, apnsID: NotificationID(known: "a"))))
                == "r:1: recorded accepted, now refused 400 BadTopic")
        let error = APNSSendError(.connectionLost, "", isSafeToRetry: false)
        #expect(
            refused.difference(from: .unknown(error))
                == "r:1: recorded refused 400 BadTopic, now unknown: connection-lost")
    }

    @Test func `an envelope is no line of a record`() {
        var reader = JSONReader()
        #expect(
            RecordedVerdict(
                Array(#"{"token":"ab12","payload":{},"outcome":"accepted"}"#.utf8), place: "", with: &reader)
                == nil)
    }
}
