public import APNSModel

/// The payload of an incoming call: the app's own data, up to 5120 bytes. Send it with priority 10 and an expiration of 0
/// or of a few seconds. The app must report a call at once, or it is ended and in time gets no more.
///
/// Source: Apple, "Responding to VoIP Notifications from PushKit".
public struct VoIPPush: PushPayload {
    public static let pushType = PushType.voip

    public var custom: CustomData

    public init(_ custom: CustomData) { self.custom = custom }

    public func encoded() -> [UInt8] { PayloadWriter.object { $0.write(custom) } }
}
