public import APNSModel

/// The payload that asks for the location of a device: an empty `aps`, and optional data of the app.
///
/// Source: Apple, "Creating a location push service extension".
public struct LocationPush: PushPayload {
    public static let pushType = PushType.location

    public var custom: CustomData

    public init(custom: CustomData = [:]) { self.custom = custom }

    public func encoded() -> [UInt8] {
        PayloadWriter.object { root in
            root.write("aps") { _ in }
            root.write(custom)
        }
    }
}
