public import APNSModel

/// The payload that makes a managed device ask its server for commands: the push magic, and nothing else.
///
/// Source: Apple, "Sending MDM commands to a device".
public struct MDMPush: PushPayload {
    public static let pushType = PushType.mdm

    /// As the device gave it when it enrolled.
    public var pushMagic: String

    public init(pushMagic: String) { self.pushMagic = pushMagic }

    public func encoded() -> [UInt8] { PayloadWriter.object { $0.write("mdm", pushMagic) } }
}
