public import APNSModel

/// The payload of a visible push about an entry or an experience, which the app fetches again when the user opens the push.
///
/// With `isContentAvailable` in the content the app also fetches when the push arrives.
public struct EntryUpdateAlert: PushPayload {
    public static let pushType = PushType.alert

    public let reference: EntryReference
    private let content: AlertPush

    /// - Parameters:
    ///   - content: What the user sees.
    ///   - type: What the app compares the key `type` with, exactly.
    /// - Throws: If the content's own data has a key of the reference.
    public init(
        _ content: AlertPush, _ reference: EntryReference, type: String = EntryReference.defaultType
    ) throws(EntryReferenceError) {
        self.reference = reference
        var content = content
        content.custom = try reference.added(to: content.custom, type: type)
        self.content = content
    }

    public func encoded() -> [UInt8] { content.encoded() }
}
