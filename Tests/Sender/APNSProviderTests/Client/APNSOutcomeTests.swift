import APNSModel
import Testing

@testable import APNSProvider

struct APNSOutcomeTests {
    private static let refusal = Refusal(.badDeviceToken, apnsID: NotificationID(known: "A"))
    private static let error = APNSSendError(.connectionLost, "the connection was reset", isSafeToRetry: false)

    @Test func `an answer is an outcome and comes back as the answer`() throws {
        for reply in [Reply.accepted(apnsID: NotificationID(known: "A"), uniqueID: "U"), .refused(Self.refusal)] {
            #expect(try APNSOutcome(reply).reply() == reply)
        }
    }

    @Test func `unsent and unknown have no answer`() {
        #expect(throws: Self.error) { try APNSOutcome.unsent(Self.error).reply() }
        #expect(throws: Self.error) { try APNSOutcome.unknown(Self.error).reply() }
    }

    @Test func `the names are those of the command line`() {
        let outcomes = [
            APNSOutcome.accepted(apnsID: NotificationID(known: "A"), uniqueID: nil), .refused(Self.refusal),
            .unsent(Self.error),
            .unknown(Self.error),
        ]
        #expect(outcomes.map(\.name) == ["accepted", "refused", "unsent", "unknown"])
    }

    @Test func `an error shows its code and its detail`() {
        #expect("\(Self.error)" == "connection-lost: the connection was reset")
    }
}
