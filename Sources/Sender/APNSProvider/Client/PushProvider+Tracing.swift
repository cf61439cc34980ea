import APNSModel
import ProviderTracing

extension SendTracer {
    /// Starts the span of one notification.
    func start(_ notification: APNSNotification) -> SendSpan {
        start(
            "apns send",
            SendSpan.Notification(
                topic: notification.topic.value, pushType: notification.pushType.rawValue,
                priority: notification.priority?.rawValue, apnsID: notification.id?.text))
    }

    /// Starts the span of one broadcast.
    func start(_ broadcast: APNSBroadcast) -> SendSpan {
        start(
            "apns send",
            SendSpan.Notification(
                topic: broadcast.app.value, pushType: broadcast.pushType.rawValue,
                priority: broadcast.priority.rawValue, apnsID: broadcast.id?.text))
    }

    /// Starts the span of a bulk send.
    func startAll() -> SendSpan { start("apns send all", nil) }
}

extension SendSpan {
    func end(_ outcome: APNSOutcome) {
        switch outcome {
        case .accepted(let apnsID, _):
            end(SendSpan.Result(outcome: outcome.name, apnsID: apnsID.text, status: 200))
        case .refused(let refusal):
            end(
                SendSpan.Result(
                    outcome: outcome.name, apnsID: refusal.apnsID?.text, status: refusal.reason.status,
                    reason: refusal.reason.code))
        case .unsent(let error), .unknown(let error):
            end(SendSpan.Result(outcome: outcome.name, reason: error.code.rawValue, error: error))
        }
    }
}
