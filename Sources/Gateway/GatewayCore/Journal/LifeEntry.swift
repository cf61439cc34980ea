/// One line in the life of a notification.
package struct LifeEntry: Sendable {
    package enum Stage: String, Hashable, Sendable, CaseIterable, Codable {
        case accepted, refused
        /// It waits for the device.
        case stored
        /// The device is reachable, and its budget, its power or its app holds the notification.
        case throttled
        /// A newer notification has replaced it in storage.
        case replaced
        case delivered
        /// Its expiration passed while it was stored or held.
        case expired
        /// It is given up for another reason, which `why` gives; or it was never judged, because of a fault rule.
        case dropped
    }

    package let stage: Stage
    /// Milliseconds since 1970.
    package let at: Int64
    /// The end of the sentence, or all of it if `newerID` is nil.
    private let text: String
    /// The `apns-unique-id` of the notification that replaced this one. It is joined with `text` only when the sentence is
    /// read: most notifications replace another one, and most of these lines are never read.
    private let newerID: UniqueID?

    package var why: String { newerID.map { "replaced by \($0)\(text)" } ?? text }
    /// The length of `why`, without joining it.
    var whyBytes: Int { text.utf8.count + (newerID == nil ? 0 : LifeEntry.startBytes) }
    /// The length of `replaced by` with a UUID and the space between them.
    private static let startBytes = 12 + 36

    package init(stage: Stage, at: Int64, why: String) {
        (self.stage, self.at, text, newerID) = (stage, at, why, nil)
    }

    /// - Parameter rest: What follows the id in the sentence.
    init(replacedBy newerID: UniqueID, at: Int64, _ rest: String) {
        (stage, self.at, text, self.newerID) = (.replaced, at, rest, newerID)
    }
}

extension LifeEntry: Hashable {
    package static func == (left: LifeEntry, right: LifeEntry) -> Bool {
        left.stage == right.stage && left.at == right.at && left.why == right.why
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(stage)
        hasher.combine(at)
    }
}

extension LifeEntry: Codable {
    private enum CodingKeys: CodingKey { case stage, at, why }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            stage: try values.decode(Stage.self, forKey: .stage), at: try values.decode(Int64.self, forKey: .at),
            why: try values.decode(String.self, forKey: .why))
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(stage, forKey: .stage)
        try values.encode(at, forKey: .at)
        try values.encode(why, forKey: .why)
    }
}

/// What happened to an accepted notification.
package struct DeliveryEvent: Hashable, Sendable {
    package let life: LifeEntry
    /// With `Stage.delivered` this is sent to the device's listeners.
    package let delivery: Delivery

    init(_ stage: LifeEntry.Stage, _ delivery: Delivery, at now: Int64, _ why: String) {
        life = DeliveryEvent.line(stage, delivery, at: now, why)
        self.delivery = delivery
    }

    /// A newer notification has replaced this one.
    ///
    /// - Parameter rest: What follows the newer one's id in the sentence.
    init(_ delivery: Delivery, replacedBy newer: Delivery, at now: Int64, _ rest: String) {
        life =
            delivery.channelID == nil
            ? LifeEntry(replacedBy: newer.id, at: now, rest)
            : DeliveryEvent.line(.replaced, delivery, at: now, "replaced by \(newer.id)\(rest)")
        self.delivery = delivery
    }

    /// A broadcast has many devices, so each of its lines names the device.
    private static func line(_ stage: LifeEntry.Stage, _ delivery: Delivery, at now: Int64, _ why: String) -> LifeEntry
    {
        LifeEntry(stage: stage, at: now, why: delivery.channelID == nil ? why : "\(delivery.token): \(why)")
    }

    package var stage: LifeEntry.Stage { life.stage }
}
