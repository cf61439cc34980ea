package import APNSModel

/// The header fields of the request for a notification, in the order in which a provider sends them, without its
/// credentials.
package enum RequestFields {
    /// Names and values of the fields that follow the pseudo fields and `authorization`.
    ///
    /// - Parameter apnsID: Nil for a notification whose id is not made yet.
    package static func fields(
        of notification: APNSNotification, apnsID: String?
    ) -> [(name: String, value: String)] {
        var fields: [(String, String)] = []
        // Empty in a replayed notification whose recording had none.
        if !notification.topic.value.isEmpty { fields.append(("apns-topic", notification.topic.value)) }
        if !notification.pushType.rawValue.isEmpty { fields.append(("apns-push-type", notification.pushType.rawValue)) }
        if let apnsID { fields.append(("apns-id", apnsID)) }
        if let priority = notification.priority { fields.append(("apns-priority", "\(priority.rawValue)")) }
        if let expiration = notification.expiration {
            fields.append(("apns-expiration", "\(expiration.secondsSince1970)"))
        }
        if let collapseID = notification.collapseID { fields.append(("apns-collapse-id", collapseID.value)) }
        return fields
    }

    package static func path(of deviceToken: String) -> String { "/3/device/\(deviceToken)" }
}
