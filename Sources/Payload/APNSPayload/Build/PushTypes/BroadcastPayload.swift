import APNSModel

/// A payload that can also be sent to a channel, with a higher limit.
public protocol BroadcastPayload: PushPayload {}

extension BroadcastPayload {
    /// How many more bytes the payload may have when sent to a channel; negative if it is too large. The limit is 5120.
    public var remainingBroadcastBytes: Int { PushType.maximumBroadcastPayloadBytes - encoded().count }
}
