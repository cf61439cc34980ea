public import APNSModel

/// The payload for a change in a File Provider domain. It has no `aps`.
///
/// Source: Apple, "Using push notifications to signal changes".
public struct FileProviderPush: PushPayload {
    public static let pushType = PushType.fileprovider

    /// What has changed.
    public enum Container: Hashable, Sendable {
        case root, workingSet
        /// An item, by the id that the File Provider uses for it.
        case item(String)

        var identifier: String {
            switch self {
            case .root: "NSFileProviderRootContainerItemIdentifier"
            case .workingSet: "NSFileProviderWorkingSetContainerItemIdentifier"
            case .item(let id): id
            }
        }
    }

    public var container: Container
    /// Nil for a File Provider with one domain.
    public var domain: String?

    public init(_ container: Container, domain: String? = nil) { (self.container, self.domain) = (container, domain) }

    public func encoded() -> [UInt8] {
        PayloadWriter.object { root in
            root.write("container-identifier", container.identifier)
            root.write("domain", domain)
        }
    }
}
