public import APNSModel

/// The payload of a background push, which wakes the app and shows nothing. Send it with priority 5.
///
/// ``HintPayload`` builds those that name changed records.
///
/// Source: Apple, "Pushing background updates to your App".
public struct BackgroundPush: PushPayload {
    public static let pushType = PushType.background

    public var custom: CustomData

    public init(custom: CustomData = [:]) { self.custom = custom }

    public func encoded() -> [UInt8] {
        PayloadWriter.object { root in
            root.write("aps") { $0.write("content-available", flag: true) }
            root.write(custom)
        }
    }
}
