import APNSModel
import PayloadJSON

/// A key of an envelope that is sent as a header, or says where to.
enum EnvelopeKey: Int, CaseIterable, Sendable {
    case token, topic, pushType, priority, expiration, collapseID, apnsID, channelID
    /// What a broadcast calls `apns-id`; Apple's samples have either.
    case requestID

    private static let names: [StaticString] = [
        "token", "apns-topic", "apns-push-type", "apns-priority", "apns-expiration", "apns-collapse-id", "apns-id",
        "apns-channel-id", "apns-request-id",
    ]

    /// Keys that stand in envelopes without being headers: what tools add about a notification.
    private static let others: [StaticString] = ["apns-validate", "apns-unique-id"]

    /// The keys that are sent as headers.
    static let headers = allCases.filter { $0 != .token }

    /// The key as it is spelt.
    var name: String { EnvelopeKey.names[rawValue].description }

    /// Whether a number is as good as a string.
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

    /// The key that somebody may have meant by one that is none; nil for what means nothing to an envelope, such as a
    /// remark.
    static func meant(by text: String) -> EnvelopeKey? {
        let bare = bare(text)
        // A key `id` is more likely somebody's own than the header.
        if let same = allCases.first(where: { $0 != .apnsID && self.bare($0.name) == bare }) { return same }
        if bare == "devicetoken" { return .token }
        guard looksLikeHeader(text), let name = Suggestion.best(for: text, among: allCases.map(\.name)) else {
            return nil
        }
        return allCases.first { $0.name == name }
    }

    static func looksLikeHeader(_ text: String) -> Bool { text.lowercased().hasPrefix("apns") }

    /// The key without what people write differently: case, hyphens and underscores, and the prefix.
    private static func bare(_ text: String) -> String {
        let letters = text.lowercased().filter { $0 != "-" && $0 != "_" && $0 != " " }
        return letters.hasPrefix("apns") ? String(letters.dropFirst(4)) : letters
    }
}
