public import APNSModel

/// The payload for a Push to Talk channel: an empty `aps`, and the app's data, such as the name of the speaker. Send it
/// with priority 10 and expiration 0.
///
/// Source: Apple, "Creating a Push to Talk app".
public struct PushToTalkPush: PushPayload {
    public static let pushType = PushType.pushtotalk

    public var custom: CustomData

    public init(_ custom: CustomData) { self.custom = custom }

    public func encoded() -> [UInt8] {
        PayloadWriter.object { root in
            root.write("aps") { _ in }
            root.write(custom)
        }
    }
}
