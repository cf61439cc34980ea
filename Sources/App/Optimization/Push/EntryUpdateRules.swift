public import PushDispatch

/// How a push that names an entry is recognised (docs/reference/personalization.md 13.4).
///
/// A payload comes from outside. Only ids are taken from it; it never chooses the space, the locale or what is shown.
public struct EntryUpdateRules: Hashable, Sendable {
    /// The keys in the root of the payload. No standard fixes them.
    public struct Keys: Hashable, Sendable {
        public var entryID = "entryId"
        public var experienceID = "experienceId"
        public var locale = "locale"

        public init() {}
    }

    public var keys = Keys()
    /// The value of the key `type`, compared exactly.
    public var type = "ENTRY_UPDATE"
    /// The locale in which the app fetches entries; nil for the space's default one. A push about another locale leads to
    /// nothing; with nil here every push is fetched.
    public var locale: String?
    /// More entries of one experience are not fetched.
    public var maximumEntries = 20

    public init(locale: String? = nil) { self.locale = locale }

    /// Of an id and a locale, in UTF-8 bytes.
    static let maximumBytes = 64

    /// What the push names; nil for a locale that the app does not show.
    ///
    /// - Throws: A push without a usable id. Its type is not looked at.
    public func read(_ push: Push) throws(PushIssue) -> EntryUpdate? {
        let entry = try text(push, keys.entryID)
        let experience = try entry == nil ? text(push, keys.experienceID) : nil
        let shown = try text(push, keys.locale)
        if let locale, let shown, locale != shown { return nil }
        if let entry { return .entry(entry) }
        if let experience { return .experience(experience) }
        throw PushIssue(.missingKey, at: "/\(keys.entryID)", "is missing, and so is \(keys.experienceID)")
    }

    private func text(_ push: Push, _ key: String) throws(PushIssue) -> String? {
        guard let value = push[key], value != .null else { return nil }
        guard let text = value.string, EntryUpdateRules.isID(text) else {
            throw PushIssue(
                .wrongKind, at: "/\(key)",
                "cannot be used; expected a string of 1 to \(EntryUpdateRules.maximumBytes) letters, digits, _, - and ."
            )
        }
        return text
    }

    static func isID(_ text: String) -> Bool {
        (1...maximumBytes).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."):
                    true
                default: false
                }
            }
    }
}
