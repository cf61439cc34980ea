import PayloadJSON

/// The body of a request to another push service, or what such a service needs, where a payload belongs.
struct ServiceBody {
    /// What it is, with an article.
    let name: String
    /// What to send instead.
    let advice: String
    /// The member that shows it.
    let member: JSONIndex
    /// Whether the member is the part to take, which is better shown as a whole.
    var isPart = false

    /// What a payload has at least one of if it is such a body.
    static let facts = KeySet([], [.noAPS, .rootOfOtherKind])
}

extension ServiceBody {
    /// Nil for what may be the payload of an app. A key that apps use as well counts only beside a second sign.
    ///
    /// - Parameter onlyUnmistakable: Whether the app defines the payload, so that only what no app would define is one.
    init?(_ document: borrowing JSONDocument, onlyUnmistakable: Bool) {
        // Expo and Firebase take lists of messages, too.
        let message = document.firstElement(of: .root) ?? .root
        if let body = ServiceBody.firebase(message, document, onlyUnmistakable: onlyUnmistakable) {
            self = body
            return
        }
        guard
            let body = ServiceBody.webPush(message, document, onlyUnmistakable)
                ?? ServiceBody.oneSignal(message, document, onlyUnmistakable) ?? ServiceBody.expo(message, document)
                ?? ServiceBody.formerFirebase(message, document, onlyUnmistakable)
                ?? ServiceBody.amazonSNS(message, document)
        else { return nil }
        self = body
    }

    private static func webPush(
        _ root: JSONIndex, _ document: borrowing JSONDocument, _ onlyUnmistakable: Bool
    ) -> ServiceBody? {
        if let version = document.member("web_push", of: root), document.integer(of: version) == 8030 {
            return ServiceBody(
                name: "a Declarative Web Push message",
                advice: "a browser gets it through the endpoint of its subscription; for APNs take title and body of "
                    + "\(document.pointer(to: root))/notification into aps.alert", member: version)
        }
        let nested = document.object("subscription", of: root).flatMap { subscription($0, document, onlyUnmistakable) }
        guard let member = subscription(root, document, onlyUnmistakable) ?? nested else { return nil }
        return ServiceBody(
            name: "a web push subscription",
            advice: "a browser gets messages through its endpoint; for APNs send a payload with aps to a device token",
            member: member)
    }

    /// The member that shows that an object is a web push subscription; nil for another object.
    private static func subscription(
        _ object: JSONIndex, _ document: borrowing JSONDocument, _ onlyUnmistakable: Bool
    ) -> JSONIndex? {
        guard let endpoint = document.member("endpoint", of: object) else { return nil }
        let keys = document.object("keys", of: object)
        if onlyUnmistakable {
            guard let keys, document.hasAny(["p256dh"], of: keys), document.hasAny(["auth"], of: keys) else {
                return nil
            }
            return keys
        }
        if let keys, document.hasAny(["p256dh"], of: keys) { return keys }
        guard document.string(of: endpoint)?.hasPrefix("https://") ?? false else { return nil }
        if let keys, document.hasAny(["auth"], of: keys) { return keys }
        return document.hasAny(["expirationTime"], of: object) ? endpoint : nil
    }

    private static let oneSignalAudience: [StaticString] = [
        "included_segments", "excluded_segments", "include_aliases", "include_subscription_ids", "include_player_ids",
        "include_external_user_ids",
    ]

    private static func oneSignal(
        _ root: JSONIndex, _ document: borrowing JSONDocument, _ onlyUnmistakable: Bool
    ) -> ServiceBody? {
        let app = document.member("app_id", of: root)
        guard app != nil || !onlyUnmistakable else { return nil }
        let audience = document.first(oneSignalAudience, of: root)
        var content = document.object("contents", of: root)
        if !onlyUnmistakable, content == nil {
            content = document.object("headings", of: root) ?? document.member("template_id", of: root)
        }
        let signs = [app, audience, content].compactMap { $0 }
        guard signs.count > 1 else { return nil }
        return ServiceBody(
            name: "a body of OneSignal",
            advice: "take headings and contents in one language as title and body of aps.alert", member: signs[0])
    }

    private static func expo(_ root: JSONIndex, _ document: borrowing JSONDocument) -> ServiceBody? {
        guard let to = document.member("to", of: root),
            let token = document.string(of: document.firstElement(of: to) ?? to),
            token.hasPrefix("ExponentPushToken[") || token.hasPrefix("ExpoPushToken[")
        else { return nil }
        return ServiceBody(
            name: "a body of Expo",
            advice: "take title and body into aps.alert, sound into aps and data beside it; a token of Expo is not a "
                + "device token", member: to)
    }
}

extension ServiceBody {
    private static let platformsOfSNS: [StaticString] = [
        "APNS", "APNS_SANDBOX", "APNS_VOIP", "APNS_VOIP_SANDBOX", "APNS_MDM", "APNS_PASSBOOK", "MACOS", "MACOS_SANDBOX",
    ]
    private static let otherKeysOfSNS: [StaticString] = ["default", "GCM", "ADM", "BAIDU", "MPNS", "WNS"]

    /// A message of Amazon SNS has a string of JSON for each platform, in which the payload is. Some programs write an object
    /// there; it counts if it has `aps`, or beside another key of SNS.
    private static func amazonSNS(_ root: JSONIndex, _ document: borrowing JSONDocument) -> ServiceBody? {
        let name = "a message of Amazon SNS"
        for key in platformsOfSNS {
            guard let member = document.member(key, of: root) else { continue }
            if let text = document.string(of: member), text.first(where: { !$0.isWhitespace }) == "{" {
                return ServiceBody(
                    name: name, advice: "take the JSON in the string \(document.pointer(to: member))", member: member,
                    isPart: true)
            }
            guard document.isObject(member),
                document.hasAny(["aps"], of: member) || isMessageOfSNS(root, besides: member, document)
            else { continue }
            return ServiceBody(
                name: name,
                advice: "take the object \(document.pointer(to: member)); SNS itself wants a string with this JSON "
                    + "there",
                member: member, isPart: true)
        }
        return nil
    }

    /// Whether an object has another key of SNS than that of one value, with a value as in a message of SNS.
    private static func isMessageOfSNS(
        _ root: JSONIndex, besides value: JSONIndex, _ document: borrowing JSONDocument
    ) -> Bool {
        for key in otherKeysOfSNS where document.text(key, of: root) != nil { return true }
        for key in platformsOfSNS + otherKeysOfSNS {
            guard let other = document.object(key, of: root), other != value else { continue }
            return true
        }
        return false
    }
}

extension InspectedNotification {
    /// The body of another push service that the notification has in place of a payload; nil for a payload.
    var serviceBody: ServiceBody? {
        guard has(ServiceBody.facts) else { return nil }
        let consumer = consumer
        return ServiceBody(document, onlyUnmistakable: consumer == .app || consumer == .reload)
    }
}

extension JSONDocument {
    /// The first element of an array; nil for an empty one and for any other value.
    func firstElement(of array: JSONIndex) -> JSONIndex? {
        var elements = elements(of: array)
        return elements.next()
    }

    /// Whether an object has members; false for any other value.
    func hasMembers(_ object: JSONIndex) -> Bool {
        var members = members(of: object)
        return members.next() != nil
    }

    /// The value of a key if it is an object.
    func object(_ key: StaticString, of parent: JSONIndex) -> JSONIndex? {
        guard let value = member(key, of: parent), isObject(value) else { return nil }
        return value
    }

    /// The value of a key if it is a string.
    func text(_ key: StaticString, of parent: JSONIndex) -> String? {
        guard let value = member(key, of: parent) else { return nil }
        return string(of: value)
    }

    /// The value of the first of these keys that an object has.
    func first(_ keys: [StaticString], of parent: JSONIndex) -> JSONIndex? {
        for key in keys {
            if let value = member(key, of: parent) { return value }
        }
        return nil
    }

    /// Whether an object has one of these keys.
    func hasAny(_ keys: [StaticString], of parent: JSONIndex) -> Bool { first(keys, of: parent) != nil }
}
