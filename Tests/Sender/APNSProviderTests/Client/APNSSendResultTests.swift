import APNSModel
import Testing

@testable import APNSProvider

struct APNSSendResultTests {
    @Test func `a result has the notification, its outcome, id, attempts and duration`() {
        let submission = Submission(7, submitted: .zero + .seconds(1))
        submission.apnsID = "SENT"
        submission.attempts = 2
        submission.resolve(.accepted(apnsID: NotificationID(known: "SENT"), uniqueID: nil))
        submission.resolved = .zero + .milliseconds(1500)
        let result = APNSSendResult(submission)
        #expect(result.notification == submission.notification)
        #expect(result.outcome == .accepted(apnsID: NotificationID(known: "SENT"), uniqueID: nil))
        #expect(result.apnsID?.text == "SENT" && result.attempts == 2 && result.duration == .milliseconds(500))
    }

    @Test func `a result that a fake makes has what it was made of`() {
        let notification = TestNotifications.notification(1)
        let id = NotificationID()
        let result = APNSSendResult(
            index: 3, notification: notification, outcome: .accepted(apnsID: id, uniqueID: nil), attempts: 2,
            duration: .seconds(1))
        #expect(result.index == 3 && result.notification == notification && result.attempts == 2)
        #expect(result.apnsID == id && result.duration == .seconds(1))
        let unsent = APNSSendResult(index: 0, notification: notification, outcome: .unsent(.closedProvider))
        #expect(unsent.apnsID == nil && unsent.outcome == .unsent(.closedProvider))
    }

    @Test func `a notification without an id that was never sent has none`() {
        let submission = Submission(1, notification: TestNotifications.notification(1))
        submission.resolve(.unsent(.closedProvider))
        #expect(APNSSendResult(submission).apnsID == nil)
    }

    @Test func `a submission starts with the id of its notification`() {
        var notification = TestNotifications.notification(1)
        #expect(Submission(1, notification: notification).apnsID.isEmpty)
        notification.id = NotificationID("EC1BF194-B3B2-424A-9CB1-0C8CA3F5E2CC")
        #expect(Submission(1, notification: notification).apnsID == notification.id?.text)
    }
}
