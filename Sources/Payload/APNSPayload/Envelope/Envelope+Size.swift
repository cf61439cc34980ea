public import APNSModel

extension Envelope {
    /// The payload limit of APNs in bytes; nil if it depends on headers that are unknown.
    public var maximumPayloadBytes: Int? {
        if isBroadcast { return PushType.maximumBroadcastPayloadBytes }
        if let pushType { return PushType(rawValue: pushType).maximumPayloadBytes }
        guard let topic else { return kind == .apns ? PushType.alert.maximumPayloadBytes : nil }
        return (topic.ends(with: PushType.voip.topicSuffix ?? ".voip") ? PushType.voip : .alert).maximumPayloadBytes
    }

    /// How many more bytes the payload may have for this push type; negative if it is too large.
    public func remainingBytes(for pushType: PushType) -> Int { pushType.maximumPayloadBytes - payload.count }
}
