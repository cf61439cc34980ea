import APNSModel
import APNSPayload

/// What is sent to each device token that the command is given.
struct MessageTemplate: Hashable, Sendable {
    var topic: Topic
    var pushType: PushType
    var priority: Priority?
    var expiration: Expiration?
    var collapseID: CollapseID?
    /// Only where there is one device token and one payload.
    var id: NotificationID?
    /// One, or several when a hint has more records than fit into one.
    var payloads: [[UInt8]]

    func notifications(to deviceToken: DeviceToken) -> [APNSNotification] {
        payloads.map { payload in
            APNSNotification(
                to: deviceToken, topic: topic, pushType: pushType,
                priority: priority ?? MessageTemplate.neededPriority(pushType), expiration: expiration,
                collapseID: collapseID, id: id, payload: payload)
        }
    }

    /// The priority for a push type when none is given: a background push needs 5, and for all others APNs assumes 10.
    static func neededPriority(_ pushType: PushType) -> Priority? {
        pushType == .background ? .powerConsiderate : nil
    }
}
