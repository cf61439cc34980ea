/// One line in the life of a notification.
package struct LifeEntry: Hashable, Sendable, Codable {
    package enum Stage: String, Hashable, Sendable, CaseIterable, Codable {
        case accepted, refused
        /// Waits for the device.
        case stored
        /// The device is there, and its budget, its power or its app hold the notification back.
        case throttled
        /// A newer notification took its place in the store.
        case replaced
        case delivered
        /// Its expiration passed while it was stored or held.
        case expired
        /// Given up for another reason, which `why` tells; or never judged, because of a fault rule.
        case dropped
    }

    package let stage: Stage
    /// Milliseconds since 1970.
    package let at: Int64
    package let why: String

    package init(stage: Stage, at: Int64, why: String) {
        self.stage = stage
        self.at = at
        self.why = why
    }
}

/// What happened to an accepted notification, for whoever listens.
package struct DeliveryEvent: Hashable, Sendable {
    package let life: LifeEntry
    /// With `Stage.delivered` this is what the device's listeners are to be sent.
    package let delivery: Delivery

    init(_ stage: LifeEntry.Stage, _ delivery: Delivery, at now: Int64, _ why: String) {
        // A broadcast has many devices, so each line says whose it is.
        let why = delivery.channelID == nil ? why : "\(delivery.token): \(why)"
        life = LifeEntry(stage: stage, at: now, why: why)
        self.delivery = delivery
    }

    package var stage: LifeEntry.Stage { life.stage }
}
