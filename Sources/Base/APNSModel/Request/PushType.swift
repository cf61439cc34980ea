/// The value of `apns-push-type`. Apple adds values, so one that is not in `known` is accepted too.
///
/// Source: docs/reference/apns.md 2.3.
public struct PushType: RawRepresentable, Hashable, Sendable, Codable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let alert = PushType(rawValue: "alert")
    public static let background = PushType(rawValue: "background")
    public static let complication = PushType(rawValue: "complication")
    public static let controls = PushType(rawValue: "controls")
    public static let fileprovider = PushType(rawValue: "fileprovider")
    public static let liveactivity = PushType(rawValue: "liveactivity")
    public static let location = PushType(rawValue: "location")
    public static let mdm = PushType(rawValue: "mdm")
    public static let pushtotalk = PushType(rawValue: "pushtotalk")
    public static let voip = PushType(rawValue: "voip")
    public static let widgets = PushType(rawValue: "widgets")
}

extension PushType {
    /// The constants of a push type.
    package struct Facts: Sendable {
        package let type: PushType
        /// The part of the topic after the bundle id; empty where the topic is the bundle id.
        package let topicSuffix: String
        package let maximumPayloadBytes: Int
    }

    package static let facts: [Facts] = [
        Facts(type: .alert, topicSuffix: "", maximumPayloadBytes: 4096),
        Facts(type: .background, topicSuffix: "", maximumPayloadBytes: 4096),
        Facts(type: .complication, topicSuffix: ".complication", maximumPayloadBytes: 4096),
        Facts(type: .controls, topicSuffix: ".push-type.controls", maximumPayloadBytes: 4096),
        Facts(type: .fileprovider, topicSuffix: ".pushkit.fileprovider", maximumPayloadBytes: 4096),
        Facts(type: .liveactivity, topicSuffix: ".push-type.liveactivity", maximumPayloadBytes: 4096),
        Facts(type: .location, topicSuffix: ".location-query", maximumPayloadBytes: 4096),
        // The topic of an MDM push is the UID of its certificate and has no suffix.
        Facts(type: .mdm, topicSuffix: "", maximumPayloadBytes: 4096),
        Facts(type: .pushtotalk, topicSuffix: ".voip-ptt", maximumPayloadBytes: 4096),
        Facts(type: .voip, topicSuffix: ".voip", maximumPayloadBytes: 5120),
        Facts(type: .widgets, topicSuffix: ".push-type.widgets", maximumPayloadBytes: 4096),
    ]

    /// The push types that Apple documents, in alphabetical order.
    public static let known: [PushType] = facts.map(\.type)

    public var isKnown: Bool { PushType.known.contains(self) }

    /// The required end of the topic; empty where the topic is the bundle id, nil for an unknown push type.
    public var topicSuffix: String? { PushType.facts.first { $0.type == self }?.topicSuffix }

    /// The largest payload that APNs accepts for a device, in bytes as sent (docs/reference/apns.md 6.1).
    public var maximumPayloadBytes: Int { self == .voip ? 5120 : 4096 }

    /// The largest payload of a broadcast to a channel, in bytes as sent (docs/reference/apns.md 6.1).
    public static let maximumBroadcastPayloadBytes = 5120
}

extension PushType: CustomStringConvertible {
    public var description: String { rawValue }
}
