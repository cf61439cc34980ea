public import APNSModel

extension Envelope {
    /// The most bytes that APNs takes; nil while too little is known about the notification to say.
    public var maximumPayloadBytes: Int? {
        if isBroadcast { return PushType.maximumBroadcastPayloadBytes }
        if let pushType { return PushType(rawValue: pushType).maximumPayloadBytes }
        guard let topic else { return kind == .apns ? PushType.alert.maximumPayloadBytes : nil }
        return (topic.ends(with: PushType.voip.topicSuffix ?? ".voip") ? PushType.voip : .alert).maximumPayloadBytes
    }

    /// How many bytes more a notification of this push type could have in its payload; negative when it is too large.
    public func remainingBytes(for pushType: PushType) -> Int { pushType.maximumPayloadBytes - payload.count }
}
