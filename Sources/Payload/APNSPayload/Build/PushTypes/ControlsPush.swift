public import APNSModel

/// The payload that reloads the controls of an app, within a budget of the system.
///
/// Source: Apple, "Updating controls locally and remotely".
public struct ControlsPush: PushPayload {
    public static let pushType = PushType.controls

    public init() {}

    public func encoded() -> [UInt8] {
        PayloadWriter.object { root in root.write("aps") { $0.write("content-changed", true) } }
    }
}
