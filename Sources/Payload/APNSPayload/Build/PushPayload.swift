public import APNSModel
import PayloadJSON

/// The payload of one push type. Each type has only the properties of its push type, so that payloads that APNs or a
/// device would not accept cannot be built: a ``BackgroundPush`` has no alert, a ``LiveActivityStart`` always has
/// attributes.
///
/// The encoded form is compact, and equal values have the same bytes. `aps` comes first, with its keys and those of
/// `alert` and `sound` in the order of Apple's tables (docs/reference/apns.md 6.3 to 6.5). The app's own keys follow,
/// sorted by the bytes of their UTF-8 at every depth.
public protocol PushPayload: Hashable, Sendable {
    /// The value of `apns-push-type` for this payload.
    static var pushType: PushType { get }

    /// The body to send, as JSON in UTF-8 without white space.
    func encoded() -> [UInt8]
}

extension PushPayload {
    /// How many more bytes the payload may have when sent to a device; negative if it is too large.
    ///
    /// The limit is that of the push type: 5120 for voip, otherwise 4096 (docs/reference/apns.md 6.1).
    public var remainingBytes: Int { remainingBytes(for: Self.pushType) }

    /// How many more bytes the payload may have under the limit of another push type.
    public func remainingBytes(for pushType: PushType) -> Int { pushType.maximumPayloadBytes - encoded().count }

    /// The findings of all rules: too many bytes, or a problem that the types cannot exclude, such as an own key with a
    /// name of Apple's.
    public func findings() -> [Finding] {
        var validator = Validator()
        return findings(with: &validator)
    }

    /// The findings of a validator that is used for many payloads, or has other rules.
    public func findings(with validator: inout Validator) -> [Finding] {
        validator.findings(
            for: Envelope(kind: .payload, pushType: Self.pushType.rawValue, payload: encoded()))
    }
}
