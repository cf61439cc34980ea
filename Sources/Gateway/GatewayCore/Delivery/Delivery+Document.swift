import APNSModel

/// The form that a store keeps. The payload is text if it is UTF-8, which nearly all payloads are.
extension Delivery: Codable {
    struct Document: Hashable, Sendable, Codable {
        var sequence: UInt64
        var uniqueID: UniqueID
        var apnsID: String
        var token: DeviceToken
        var environment: APNSEnvironment
        var topic: Topic
        var pushType: PushType?
        var priority: Priority
        var expiration: Expiration?
        var collapseID: CollapseID?
        var channelID: ChannelID?
        var copies: Int
        var payload: String?
        /// The payload where it is not UTF-8.
        var payloadBytes: [UInt8]?
    }

    package convenience init(from decoder: any Decoder) throws {
        let document = try Document(from: decoder)
        self.init(
            sequence: document.sequence, id: document.uniqueID, apnsID: document.apnsID, token: document.token,
            environment: document.environment, topic: document.topic, pushType: document.pushType,
            priority: document.priority, expiration: document.expiration, collapseID: document.collapseID,
            payload: document.payloadBytes ?? Array((document.payload ?? "").utf8), channelID: document.channelID,
            copies: document.copies)
    }

    package func encode(to encoder: any Encoder) throws {
        let text = String(decoding: payload, as: UTF8.self)
        let isText = text.utf8.elementsEqual(payload)
        try Document(
            sequence: sequence, uniqueID: id, apnsID: apnsID, token: token, environment: environment,
            topic: topic, pushType: pushType, priority: priority, expiration: expiration, collapseID: collapseID,
            channelID: channelID, copies: copies, payload: isText ? text : nil, payloadBytes: isText ? nil : payload
        ).encode(to: encoder)
    }
}
