/// What makes two pushes the same: the id that the sender put in, or the whole payload (selective-sync.md 9, rule 4).
enum PushIdentity: Hashable, Sendable {
    case sent(String)
    case payload([UInt8])

    init(_ push: Push, identityKey: String?) {
        if let identityKey, let id = push[identityKey]?.string, !id.isEmpty {
            self = .sent(id)
        } else {
            self = .payload(JSONValue.object(push.payload).canonicalBytes)
        }
    }
}
