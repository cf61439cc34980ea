package import APNSModel

/// What a device has and what waits for it, for whoever looks at it from outside.
package struct DeviceInbox: Sendable {
    package struct Delivered: Sendable {
        package let delivery: Delivery
        /// Milliseconds since 1970; nil once the journal has let the notification go.
        package let at: Int64?
        /// The newer one of the same collapse id that the user sees in its place; its unique id.
        package let hiddenBy: String?
    }

    /// In the order in which they came.
    package let waiting: [StoredDelivery]
    /// Newest first.
    package let delivered: [Delivered]
}

extension World {
    /// Looks at a device without connecting it, so that nothing is delivered by looking.
    ///
    /// - Parameter limit: How many of those delivered, and how many of those waiting.
    /// - Returns: Nil when there is no such device.
    package func inbox(
        of token: DeviceToken, in environment: APNSEnvironment, limit: Int
    ) -> DeviceInbox? {
        guard let device = device(token, in: environment) else { return nil }
        let limit = max(0, limit)
        // The newest delivered of each; a collapse id is that of one app on one device.
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
        // A broadcast has a line for each device, which begins with its token.
        guard delivery.channelID != nil else { return times.last?.at }
        return times.last { $0.why.hasPrefix("\(delivery.token):") }?.at
    }
}
