public import APNSModel

/// The payload of an incoming call: the app's own data, up to 5120 bytes. Send it with priority 10 and an expiration of
/// 0 or in a few seconds. The app must report a call at once. Otherwise the system terminates it and may stop
/// delivering VoIP pushes.
///
/// Source: Apple, "Responding to VoIP Notifications from PushKit".
public struct VoIPPush: PushPayload {
    public static let pushType = PushType.voip

    public var custom: CustomData

    public init(_ custom: CustomData) { self.custom = custom }

    public func encoded() -> [UInt8] { PayloadWriter.object { $0.write(custom) } }
}
