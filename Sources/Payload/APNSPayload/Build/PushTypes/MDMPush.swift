public import APNSModel

/// The payload that makes a managed device ask its server for commands: the push magic only.
///
/// Source: Apple, "Sending MDM commands to a device".
public struct MDMPush: PushPayload {
    public static let pushType = PushType.mdm

    /// The value that the device sent when it enrolled.
    public var pushMagic: String

    public init(pushMagic: String) { self.pushMagic = pushMagic }

    public func encoded() -> [UInt8] { PayloadWriter.object { $0.write("mdm", pushMagic) } }
}
