package import APNSModel

/// What a device has received and what is stored for it.
package struct DeviceInbox: Sendable {
    package struct Delivered: Sendable {
        package let delivery: Delivery
        /// Milliseconds since 1970; nil once the notification is no longer in the journal.
        package let at: Int64?
        /// The unique id of the newer notification with the same collapse id that the user sees instead.
        package let hiddenBy: String?
    }

    /// In the order of arrival.
    package let waiting: [StoredDelivery]
    /// Newest first.
    package let delivered: [Delivered]
}

extension World {
    /// Reads a device without connecting to it, so that nothing is delivered because of it.
    ///
    /// - Parameter limit: How many delivered ones, and how many stored ones.
    /// - Returns: Nil when there is no such device.
    package func inbox(
        of token: DeviceToken, in environment: APNSEnvironment, limit: Int
    ) -> DeviceInbox? {
        guard let device = device(token, in: environment) else { return nil }
        let limit = max(0, limit)
        // The newest delivered notification of each collapse id.
        var shown: [CollapseID: String] = [:]
        return DeviceInbox(
            waiting: Array(device.waiting.suffix(limit)),
            delivered: device.history.suffix(limit).reversed().map { delivery in
                var hiddenBy: String?
                if device.kind == .app, !delivery.isSilent, let id = delivery.collapseID {
                    hiddenBy = shown[id]
                    if hiddenBy == nil { shown[id] = delivery.uniqueID }
                }
                return DeviceInbox.Delivered(delivery: delivery, at: timeOfDelivery(delivery), hiddenBy: hiddenBy)
            })
    }

    private func timeOfDelivery(_ delivery: Delivery) -> Int64? {
        guard let entry = notification(uniqueID: delivery.uniqueID) else { return nil }
        let times = entry.life.filter { $0.stage == .delivered }
        // A broadcast has a line for each device, which begins with the device token.
        guard delivery.channelID != nil else { return times.last?.at }
        return times.last { $0.why.hasPrefix("\(delivery.token):") }?.at
    }
}
