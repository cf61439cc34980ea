/// What identifies a push: the id that the sender added, or the whole payload (docs/reference/selective-sync.md 9, rule
/// 4).
struct PushIdentity: Hashable, Sendable {
    private enum Content: Hashable, Sendable {
        case sent(String)
        case payload([UInt8])
    }

    private let content: Content
    /// Computed once, because a push is looked up in several collections.
    private let hash: Int

    init(_ push: Push, identityKey: String?) {
        if let identityKey, let id = push[identityKey]?.string, !id.isEmpty {
            content = .sent(id)
        } else {
            content = .payload(JSONValue.object(push.payload).canonicalBytes)
        }
        hash = content.hashValue
    }

    static func == (left: PushIdentity, right: PushIdentity) -> Bool {
        left.hash == right.hash && left.content == right.content
    }

    func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}
