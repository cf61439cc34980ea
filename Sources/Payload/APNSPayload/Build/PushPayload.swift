public import APNSModel
import PayloadJSON

/// A payload as a value that has the shape of its push type, so that what APNs or a device would not take cannot be
/// written: a ``BackgroundPush`` has no alert, a ``LiveActivityStart`` has no missing attributes.
///
/// The encoded form is compact, and the same for equal values of equal spelling. `aps` comes first, with its keys and those
/// of `alert` and `sound` in the order of Apple's tables (docs/reference/apns.md 6.3 to 6.5); the app's own keys follow. Keys that
/// the app chooses are sorted by the bytes of their UTF-8, at every depth.
public protocol PushPayload: Hashable, Sendable {
    /// The value of `apns-push-type` that the payload is made for.
    static var pushType: PushType { get }

    /// The body to send, as JSON in UTF-8 without white space.
    func encoded() -> [UInt8]
}

extension PushPayload {
    /// How many more bytes APNs would take for a device; negative when there are too many.
    ///
    /// The limit is that of the push type: 5120 for voip, otherwise 4096 (docs/reference/apns.md 6.1).
    public var remainingBytes: Int { remainingBytes(for: Self.pushType) }

    /// The same under the limit of another push type.
    public func remainingBytes(for pushType: PushType) -> Int { pushType.maximumPayloadBytes - encoded().count }

    /// What is wrong with it: too many bytes, or what no type rules out, such as an own key with the name of one of Apple's.
    public func findings() -> [Finding] {
        var validator = Validator()
        return findings(with: &validator)
    }

    /// The same with a validator that is kept for many payloads, or has other rules.
    public func findings(with validator: inout Validator) -> [Finding] {
        validator.findings(
            for: Envelope(kind: .payload, pushType: Self.pushType.rawValue, payload: encoded()))
    }
}
