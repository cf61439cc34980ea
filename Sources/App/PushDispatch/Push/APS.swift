/// The members of `aps` that decide how a push is delivered. The alert's text is not among them.
public struct APS: Hashable, Sendable {
    public let isContentAvailable: Bool
    public let hasAlert: Bool
    public let hasBadge: Bool
    public let hasSound: Bool
    public let category: String?

    /// Whether the push wakes the app without showing anything (docs/reference/selective-sync.md 8.3).
    public var isSilent: Bool { isContentAvailable && !hasAlert && !hasBadge && !hasSound }

    init(_ members: [String: JSONValue]) {
        func isPresent(_ key: String) -> Bool { members[key, default: .null] != .null }
        isContentAvailable = members["content-available"]?.flag == true
        hasAlert = isPresent("alert")
        hasBadge = isPresent("badge")
        hasSound = isPresent("sound")
        category = members["category"]?.string
    }
}
