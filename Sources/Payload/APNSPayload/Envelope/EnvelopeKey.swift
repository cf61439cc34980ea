import APNSModel
import PayloadJSON

/// A key of an envelope that is sent as a header or, for `token`, in the path.
enum EnvelopeKey: Int, CaseIterable, Sendable {
    case token, topic, pushType, priority, expiration, collapseID, apnsID, channelID
    /// Another name of `apns-id` for a broadcast; Apple's examples use both.
    case requestID

    private static let names: [StaticString] = [
        "token", "apns-topic", "apns-push-type", "apns-priority", "apns-expiration", "apns-collapse-id", "apns-id",
        "apns-channel-id", "apns-request-id",
    ]

    /// Keys of envelopes that are not headers: data that tools add about a notification.
    private static let others: [StaticString] = ["apns-validate", "apns-unique-id"]

    /// The keys that are sent as headers.
    static let headers = allCases.filter { $0 != .token }

    /// The name of the key in an envelope.
    var name: String { EnvelopeKey.names[rawValue].description }

    /// Whether the value can be a number as well as a string.
    var takesNumbers: Bool { self == .priority || self == .expiration || self == .collapseID }

    init?(_ key: JSONIndex, of document: borrowing JSONDocument) {
        for (position, name) in EnvelopeKey.names.enumerated() where document.isString(key, name) {
            self.init(rawValue: position)
            return
        }
        return nil
    }

    static func isOther(_ key: JSONIndex, of document: borrowing JSONDocument) -> Bool {
        for name in others where document.isString(key, name) { return true }
        return false
    }

    /// The key that an unknown key was probably meant to be; nil for a key without a meaning for envelopes, such as a
    /// comment.
    static func meant(by text: String) -> EnvelopeKey? {
        let bare = bare(text)
        // A key `id` is probably the user's own and not the header.
        if let same = allCases.first(where: { $0 != .apnsID && self.bare($0.name) == bare }) { return same }
        if bare == "devicetoken" { return .token }
        guard looksLikeHeader(text), let name = Suggestion.best(for: text, among: allCases.map(\.name)) else {
            return nil
        }
        return allCases.first { $0.name == name }
    }

    static func looksLikeHeader(_ text: String) -> Bool { text.lowercased().hasPrefix("apns") }

    /// The key in lower case, without hyphens, underscores and the prefix "apns".
    private static func bare(_ text: String) -> String {
        let letters = text.lowercased().filter { $0 != "-" && $0 != "_" && $0 != " " }
        return letters.hasPrefix("apns") ? String(letters.dropFirst(4)) : letters
    }
}
