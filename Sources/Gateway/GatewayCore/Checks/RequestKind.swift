/// What a request asks for.
package enum RequestKind: String, Hashable, Sendable, CaseIterable, Codable {
    /// A notification to a device.
    case notification
    /// A notification to a channel, and so to every device that subscribes to it.
    case broadcast
    case createChannel = "create-channel"
    case readChannel = "read-channel"
    case listChannels = "list-channels"
    case deleteChannel = "delete-channel"
    /// A path or method for channels that does not exist.
    case unknownChannelRequest = "unknown-channel-request"

    /// The status of the answer when nothing is wrong (docs/reference/apns.md 3.1).
    var acceptedStatus: Int {
        switch self {
        case .createChannel: 201
        case .deleteChannel: 204
        case .notification, .broadcast, .readChannel, .listChannels, .unknownChannelRequest: 200
        }
    }

    /// Whether such a request has a body.
    package var hasPayload: Bool { isSend || self == .createChannel }

    /// Whether it sends a message; the others manage channels.
    var isSend: Bool { self == .notification || self == .broadcast }
}
