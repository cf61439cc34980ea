import APNSModel

/// A payload that may also go to a channel, where the limit is higher.
public protocol BroadcastPayload: PushPayload {}

extension BroadcastPayload {
    /// How many more bytes APNs would take for a channel; negative when there are too many. The limit is 5120.
    public var remainingBroadcastBytes: Int { PushType.maximumBroadcastPayloadBytes - encoded().count }
}
