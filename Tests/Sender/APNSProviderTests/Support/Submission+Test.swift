import APNSModel

@testable import APNSProvider

extension Submission {
    convenience init(
        _ number: Int, notification: APNSNotification? = nil, submitted: MonotonicTime = .zero,
        deadline: MonotonicTime = .zero + .seconds(1000)
    ) {
        let notification = notification ?? TestNotifications.notification(number)
        self.init(
            id: UInt64(number), notification: notification, apnsID: notification.id?.text ?? "",
            recipient: .single(Caller(id: UInt64(number))), submitted: submitted, deadline: deadline)
    }

    /// The number that the test gave it.
    var number: Int { Int(id) }
}
