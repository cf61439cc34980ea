public import APNSModel

/// The payload for a complication on a watch face: the app's own data. A watch accepts 50 a day.
///
/// Source: Apple, PushKit, push type complication.
public struct ComplicationPush: PushPayload {
    public static let pushType = PushType.complication

    public var custom: CustomData

    public init(_ custom: CustomData) { self.custom = custom }

    public func encoded() -> [UInt8] { PayloadWriter.object { $0.write(custom) } }
}
