public import APNSModel

/// The payload of a silent push that names an entry or an experience to fetch again. Send it with priority 5.
///
/// ```swift
/// let push = try EntryUpdatePush(EntryReference(.entry("hero"), locale: "en-US"))
/// ```
public struct EntryUpdatePush: PushPayload {
    public static let pushType = PushType.background

    public let reference: EntryReference
    private let content: BackgroundPush

    /// - Parameters:
    ///   - type: What the app compares the key `type` with, exactly.
    ///   - custom: More keys beside those of the reference.
    /// - Throws: If `custom` has a key of the reference.
    public init(
        _ reference: EntryReference, type: String = EntryReference.defaultType, custom: CustomData = [:]
    ) throws(EntryReferenceError) {
        self.reference = reference
        content = BackgroundPush(custom: try reference.added(to: custom, type: type))
    }

    public func encoded() -> [UInt8] { content.encoded() }
}
