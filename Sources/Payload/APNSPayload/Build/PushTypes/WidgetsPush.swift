public import APNSModel

/// The payload that reloads all widgets of an app, within a budget of the system.
///
/// Source: Apple, "Updating widgets with WidgetKit push notifications".
public struct WidgetsPush: PushPayload {
    public static let pushType = PushType.widgets

    public init() {}

    public func encoded() -> [UInt8] {
        PayloadWriter.object { root in root.write("aps") { $0.write("content-changed", true) } }
    }
}
