import APNSProvider
import Testing

@testable import apns

struct SendTallyTests {
    private static let failed = APNSSendError(.connectionFailed, "no answer", isSafeToRetry: true)
    private static let lost = APNSSendError(.connectionLost, "gone", isSafeToRetry: false)

    @Test func `the status is 2 only when nothing ever got as far as a connection`() {
        var tally = SendTally()
        #expect(tally.exitStatus == .failed)
        tally.count(.unsent(SendTallyTests.failed), attempts: 0)
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
            { $0.count(.unknown(SendTallyTests.lost), attempts: 1) },
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
        tally.count(.unknown(SendTallyTests.lost), attempts: 1)
        tally.badLines = 1
        tally.notRead = 7
        let text = tally.summary(after: .seconds(2))
        #expect(text.contains("1 accepted, 0 refused, 0 unsent, 1 unknown; 1 bad line; 7 not read"))
        #expect(text.contains("may have been delivered"))
        tally.isRestUnknown = true
        #expect(tally.summary(after: .zero).contains("7 and the rest of the input not read"))
    }
}
