import APNSModel
package import PayloadJSON

/// What an explanation needs to know of a payload.
package struct PayloadFacts: Hashable, Sendable {
    /// Whether the payload has an object `aps`.
    package let hasAPS: Bool
    /// In the order of the payload.
    package let rootKeys: [String]
    private let apsKeys: Set<String>

    /// What an alert shows, each in quotation marks; a text of the app's strings file by its key.
    let title: String?
    let subtitle: String?
    let body: String?
    /// Nil without a badge.
    let badge: Int64?
    let sound: Sound?
    let isContentAvailable: Bool
    let isMutable: Bool
    let category: String?
    let threadID: String?
    let interruptionLevel: String?
    /// Of a Live Activity.
    let event: String?
    let attributesType: String?
    let timestamp: Int64?
    let staleDate: Int64?
    let dismissalDate: Int64?
    let inputs: Inputs
    let container: String?

    enum Sound: Hashable, Sendable {
        case standard
        /// In quotation marks.
        case file(String)
        case critical
    }

    /// How a started Live Activity gets its updates.
    enum Inputs: Hashable, Sendable { case none, deviceToken, channel }

    /// The longest text of a payload that is shown, in characters.
    static let shownCharacters = 60

    package init(_ document: JSONDocument) {
        let root = Object(document, .root)
        let aps = root.object("aps")
        hasAPS = aps != nil
        rootKeys = root.keys
        apsKeys = Set(aps?.keys ?? [])
        let alert = aps?.object("alert")
        title = alert?.text("title", orKey: "title-loc-key")
        subtitle = alert?.text("subtitle", orKey: "subtitle-loc-key")
        body = aps?.quoted("alert") ?? alert?.text("body", orKey: "loc-key")
        badge = aps?.integer("badge")
        sound = PayloadFacts.sound(aps, alert)
        isContentAvailable = aps?.isOne("content-available") ?? false
        isMutable = aps?.isOne("mutable-content") ?? false
        category = aps?.quoted("category")
        threadID = aps?.quoted("thread-id")
        interruptionLevel = aps?.string("interruption-level")
        event = aps?.string("event")
        attributesType = aps?.quoted("attributes-type")
        timestamp = aps?.integer("timestamp")
        staleDate = aps?.integer("stale-date")
        dismissalDate = aps?.integer("dismissal-date")
        inputs =
            aps?.has("input-push-channel") == true
            ? .channel : aps?.isOne("input-push-token") == true ? .deviceToken : .none
        container = root.quoted("container-identifier")
    }

    /// Whether `aps` has this key.
    package func has(_ key: String) -> Bool { apsKeys.contains(key) }

    var showsText: Bool { title != nil || subtitle != nil || body != nil }

    /// Whether the user sees or hears something of an alert push.
    var showsAnything: Bool { showsText || badge != nil || sound != nil }

    /// The app's own keys.
    var customKeys: [String] { rootKeys.filter { $0 != "aps" } }

    private static func sound(_ aps: Object?, _ alert: Object?) -> Sound? {
        if let object = aps?.object("sound") {
            guard !object.isOne("critical") else { return .critical }
            return object.string("name") == "default" ? .standard : .file(object.quoted("name") ?? "\"\"")
        }
        // In a Live Activity it is in alert.
        guard let name = aps?.string("sound") ?? alert?.string("sound"), !name.isEmpty else { return nil }
        return name == "default" ? .standard : .file(ShownText.quoted(name, to: shownCharacters))
    }
}

/// An object of a payload, for reading.
private struct Object {
    private let document: JSONDocument
    private let index: JSONIndex

    init(_ document: JSONDocument, _ index: JSONIndex) { (self.document, self.index) = (document, index) }

    var keys: [String] { document.members(of: index).compactMap { document.string(of: $0.key) } }

    private func value(_ key: String) -> JSONIndex? { document.member(named: key, of: index) }

    func has(_ key: String) -> Bool { value(key) != nil }

    func object(_ key: String) -> Object? {
        value(key).flatMap { document.isObject($0) ? Object(document, $0) : nil }
    }

    func string(_ key: String) -> String? { value(key).flatMap { document.string(of: $0) } }

    func integer(_ key: String) -> Int64? { value(key).flatMap { document.integer(of: $0) } }

    /// The number 1, or what a device may read as 1.
    func isOne(_ key: String) -> Bool {
        value(key).map { document.kind(of: $0) == .true || document.number(of: $0) == 1 } ?? false
    }

    /// Nil for an empty string, too.
    func quoted(_ key: String) -> String? {
        string(key).flatMap { $0.isEmpty ? nil : ShownText.quoted($0, to: PayloadFacts.shownCharacters) }
    }

    /// The text, or the text of a localization key: in the alert itself, or in an object as Live Activities have it.
    func text(_ key: String, orKey localized: String) -> String? {
        if let text = quoted(key) { return text }
        return (quoted(localized) ?? object(key)?.quoted("loc-key")).map { "the text of the key \($0)" }
    }
}
