/// What makes two pushes the same: the id that the sender put in, or the whole payload (docs/reference/selective-sync.md 9, rule 4).
struct PushIdentity: Hashable, Sendable {
    private enum Content: Hashable, Sendable {
        case sent(String)
        case payload([UInt8])
    }

    private let content: Content
    /// Of the content, made once: a push is looked for in several places.
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
