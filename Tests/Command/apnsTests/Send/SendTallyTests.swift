import APNSModel
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
        tally.count(.accepted(apnsID: NotificationID(known: "a"), uniqueID: nil), attempts: 1)
        #expect(!tally.couldDoNothing && tally.exitStatus == .no)
    }

    @Test func `the status is 0 only when all of the input was accepted`() {
        var good = SendTally()
        good.count(.accepted(apnsID: NotificationID(known: "a"), uniqueID: nil), attempts: 1)
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
        tally.count(.accepted(apnsID: NotificationID(known: "a"), uniqueID: nil), attempts: 1)
        #expect(
            tally.summary(after: .seconds(2))
                == "1 notification in 2.00 s: 1 accepted, 0 refused, 0 unsent, 0 unknown")
        tally.count(.unknown(SendTallyTests.lost), attempts: 1)
        tally.badLines = 1
        tally.notRead = 7
        let text = tally.summary(after: .seconds(2))
        #expect(text.contains("1 accepted, 0 refused, 0 unsent, 1 unknown; 1 bad line; 7 not read"))
        #expect(text.contains("may have been delivered"))
        #expect(text.contains("\nunknown: 1 connection-lost\n"))
        tally.isRestUnknown = true
        #expect(tally.summary(after: .zero).contains("7 and the rest of the input not read"))
    }

    @Test func `progress has part and remaining time where the size of the input is known`() {
        var tally = SendTally()
        for _ in 0..<30 { tally.count(.accepted(apnsID: NotificationID(known: "a"), uniqueID: nil), attempts: 1) }
        let pipe = tally.progress(after: .seconds(10), of: InputPosition(items: 40))
        #expect(pipe == "30 done, 3 a second: 30 accepted, 0 refused, 0 unsent, 0 unknown")
        // 40 of 120 were read, and 10 of them wait for an outcome.
        let file = tally.progress(after: .seconds(10), of: InputPosition(items: 40, part: 1.0 / 3))
        #expect(file == "30 done, 25 %, 30 s left, 3 a second: 30 accepted, 0 refused, 0 unsent, 0 unknown")
        #expect(
            tally.progress(after: .seconds(10), of: InputPosition(items: 30, part: 1)).contains("30 done, 100 %, 3 a"))
    }
}
