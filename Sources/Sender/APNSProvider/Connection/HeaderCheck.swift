import APNSModel

/// Checks the header values that a caller chooses, before they are sent. It remembers the last good ones, because nearly all
/// notifications have the same.
struct HeaderCheck {
    private var topic = ""
    private var pushType = ""

    /// Why the request cannot be sent; nil when it can. The values of requests about channels are safe by their types.
    mutating func problem(in submission: Submission) -> String? {
        if let problem = submission.notification.flatMap({ problem(in: $0) }) { return problem }
        guard case .broadcast(let broadcast)? = submission.channels?.request else { return nil }
        return HeaderValue.problem(in: broadcast.pushType.rawValue).map { HeaderCheck.sentence("push type", $0) }
    }

    /// Why the notification cannot be sent; nil when it can.
    mutating func problem(in notification: borrowing APNSNotification) -> String? {
        if notification.topic.value != topic {
            let value = notification.topic.value
            if let problem = HeaderValue.problem(in: value) { return HeaderCheck.sentence("topic", problem) }
            topic = value
        }
        if notification.pushType.rawValue != pushType {
            let value = notification.pushType.rawValue
            if let problem = HeaderValue.problem(in: value) { return HeaderCheck.sentence("push type", problem) }
            pushType = value
        }
        return notification.collapseID.flatMap { HeaderValue.problem(in: $0.value) }
            .map { HeaderCheck.sentence("collapse id", $0) }
    }

    private static func sentence(_ name: String, _ problem: String) -> String {
        "the \(name) \(problem), which no header can carry"
    }
}
