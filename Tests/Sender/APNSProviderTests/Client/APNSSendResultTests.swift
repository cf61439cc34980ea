import APNSModel
import Testing

@testable import APNSProvider

struct APNSSendResultTests {
    @Test func `a result has the notification, its outcome, id, attempts and duration`() {
        let submission = Submission(7, submitted: .zero + .seconds(1))
        submission.apnsID = "SENT"
        submission.attempts = 2
        submission.resolve(.accepted(apnsID: "SENT", uniqueID: nil))
        submission.resolved = .zero + .milliseconds(1500)
        let result = APNSSendResult(submission)
        #expect(result.notification == submission.notification)
        #expect(result.outcome == .accepted(apnsID: "SENT", uniqueID: nil))
        #expect(result.apnsID == "SENT" && result.attempts == 2 && result.duration == .milliseconds(500))
    }

    @Test func `a submission starts with the id of its notification`() {
        var notification = TestNotifications.notification(1)
        #expect(Submission(1, notification: notification).apnsID.isEmpty)
        notification.id = NotificationID("EC1BF194-B3B2-424A-9CB1-0C8CA3F5E2CC")
        #expect(Submission(1, notification: notification).apnsID == notification.id?.text)
    }
}
