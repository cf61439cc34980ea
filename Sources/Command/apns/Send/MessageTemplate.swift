import APNSModel
import APNSPayload

/// What is sent to each device token.
struct MessageTemplate: Hashable, Sendable {
    var topic: Topic
    var pushType: PushType
    var priority: Priority?
    var expiration: Expiration?
    var collapseID: CollapseID?
    /// Set only for a single device token and a single payload.
    var id: NotificationID?
    /// Several when the records of a hint do not fit into one payload.
    var payloads: [[UInt8]]

    func notifications(to deviceToken: DeviceToken) -> [APNSNotification] {
        payloads.map { payload in
            APNSNotification(
                to: deviceToken, topic: topic, pushType: pushType,
                priority: priority ?? MessageTemplate.neededPriority(pushType), expiration: expiration,
                collapseID: collapseID, id: id, payload: payload)
        }
    }

    /// The priority of a push type when none was given: 5 for a background push, which needs it, and none for others, for
    /// which APNs assumes 10.
    static func neededPriority(_ pushType: PushType) -> Priority? {
        pushType == .background ? .powerConsiderate : nil
    }
}
