public import APNSModel

extension Envelope {
    /// The payload limit of APNs in bytes; nil if it depends on a push type that is not stated. Only a stated push type and a
    /// channel raise it: the topic of a VoIP push alone leaves open whether APNs takes more than 4096.
    public var maximumPayloadBytes: Int? {
        if isBroadcast { return PushType.maximumBroadcastPayloadBytes }
        if let pushType { return PushType(rawValue: pushType).maximumPayloadBytes }
        // The topic of a simulator file is a bundle id, whatever it ends with.
        if kind == .apns { return PushType.alert.maximumPayloadBytes }
        guard let topic, !topic.ends(with: PushType.voip.topicSuffix ?? ".voip") else { return nil }
        return PushType.alert.maximumPayloadBytes
    }

    /// How many more bytes the payload may have for this push type; negative if it is too large.
    public func remainingBytes(for pushType: PushType) -> Int { pushType.maximumPayloadBytes - payload.count }
}
