import APNSModel
import PayloadJSON

extension Rule {
    public static let otherServiceBody = Rule(
        id: "other-service-body", severity: .error, layer: .device, looksAt: .noAPS,
        pushTypes: [.alert, .background, .liveactivity, .absent], reads: .noAPS,
        summary: "A payload is not the body of a request to another push service.",
        rationale: """
            Firebase, OneSignal and Expo take bodies of their own and make the payload for APNs from them, and a web push \
            subscription says where a browser gets its messages. Sent to APNs, such a body has no `aps`, so it is accepted \
            and the device shows nothing. A body of Firebase's HTTP v1 can contain the payload, at `/message/apns/payload`.
            """,
        source: RuleSource.generatingPayloads,
        passes: [
            Example(#"{"aps":{"alert":"Hi"},"notification":{"title":"own"},"message":{"token":"own"}}"#, .alert),
            Example(#"{"notification":{"title":"own"},"data":{}}"#, .voip), Example(#"{"message":"own","data":{}}"#),
            Example(#"{"to":"support","title":"own"}"#), Example(#"{"endpoint":"own"}"#),
        ],
        fails: [
            Example(#"{"notification":{"title":"Hi","body":"You"},"data":{"order":"4711"}}"#),
            Example(
                #"{"message":{"token":"d0x","apns":{"headers":{"apns-priority":"5"},"payload":{"aps":{"alert":"Hi"}}}}}"#
            ),
            Example(#"{"message":{"topic":"news","notification":{"title":"Hi"}}}"#, .alert),
            Example(#"{"to":"d0x","priority":"high","data":{"order":"4711"}}"#),
            Example(#"{"endpoint":"https://push.example.com/1","keys":{"p256dh":"BEl","auth":"8eD"}}"#),
            Example(#"{"app_id":"5eb5a37e","contents":{"en":"Hi"},"included_segments":["All"]}"#),
            Example(#"{"to":"ExponentPushToken[x]","title":"Hi","body":"You"}"#),
            Example(#"{"to":["ExponentPushToken[x]"],"sound":"default"}"#, .alert),
        ]
    ) { notification, findings in
        guard notification.aps == nil, let body = OtherServiceBody(notification.document) else { return }
        findings.report(
            "this is \(body.name), not a payload for APNs; \(body.advice)", at: body.place(in: notification))
    }
}

/// The body of a request to another push service, or what such a service needs.
private struct OtherServiceBody {
    let name: String
    let advice: String
    /// The member that shows it.
    private let member: JSONIndex
    /// Whether the member is the part to take, which is better shown as a whole.
    private var isPart = false

    private init(_ name: String, _ advice: String, _ member: JSONIndex) {
        self.name = name
        self.advice = advice
        self.member = member
    }

    /// Nil for a payload that may be the app's own.
    init?(_ document: borrowing JSONDocument) {
        let root = JSONIndex.root
        if let message = document.member("message", of: root), document.isObject(message) {
            guard OtherServiceBody.has(OtherServiceBody.messageKeys, message, document) else { return nil }
            self.init(message: message, document)
        } else if let keys = document.member("keys", of: root), document.member("endpoint", of: root) != nil,
            document.member("p256dh", of: keys) != nil
        {
            self.init(
                "a web push subscription",
                "a browser gets messages through its endpoint; for APNs send a payload with aps to a device token", keys
            )
        } else if let app = document.member("app_id", of: root),
            OtherServiceBody.has(OtherServiceBody.oneSignalKeys, root, document)
        {
            self.init(
                "a body of OneSignal", "take headings and contents in one language as title and body of aps.alert", app)
        } else if let to = document.member("to", of: root), OtherServiceBody.isExpo(to, document) {
            self.init(
                "a body of Expo",
                "take title and body into aps.alert, sound into aps and data beside it; a token of Expo is not a device token",
                to)
        } else {
            self.init(legacy: document)
        }
    }

    /// A body of Firebase's HTTP v1.
    private init(message: JSONIndex, _ document: borrowing JSONDocument) {
        let name = "a body of Firebase (HTTP v1)"
        guard let apns = document.member("apns", of: message), let payload = document.member("payload", of: apns) else {
            self.init(
                name, "take title and body of /message/notification into aps.alert, and the members of data beside aps",
                message)
            return
        }
        let hasHeaders = document.member("headers", of: apns) != nil
        self.init(
            name, "take /message/apns/payload" + (hasHeaders ? ", and /message/apns/headers as headers" : ""), payload)
        isPart = true
    }

    /// A body of Firebase's HTTP API of former years, or the part of one that servers build.
    private init?(legacy document: borrowing JSONDocument) {
        let root = JSONIndex.root
        let notification = document.member("notification", of: root).flatMap { document.isObject($0) ? $0 : nil }
        let data = document.member("data", of: root).flatMap { document.isObject($0) ? $0 : nil }
        let isAddressed = OtherServiceBody.has(OtherServiceBody.legacyKeys, root, document)
        guard let member = notification ?? (isAddressed ? data : nil) else { return nil }
        let advice =
            notification == nil
            ? "take the members of data into the root, beside an aps"
            : "take title and body of notification into aps.alert, and the members of data beside aps"
        self.init("a body of Firebase", advice, member)
    }

    func place(in notification: borrowing InspectedNotification) -> Finding.Place {
        isPart ? notification.place(ofValue: member) : notification.place(ofKeyOf: member)
    }

    private static let messageKeys: [StaticString] = [
        "apns", "android", "webpush", "notification", "data", "token", "topic", "condition",
    ]
    private static let legacyKeys: [StaticString] = ["to", "registration_ids", "condition", "collapse_key"]
    private static let oneSignalKeys: [StaticString] = [
        "contents", "headings", "included_segments", "include_player_ids", "include_subscription_ids",
        "include_aliases",
        "template_id",
    ]

    private static func has(
        _ keys: [StaticString], _ object: JSONIndex, _ document: borrowing JSONDocument
    ) -> Bool {
        for key in keys where document.member(key, of: object) != nil { return true }
        return false
    }

    /// Whether this is a device token of Expo, or a list that begins with one.
    private static func isExpo(_ value: JSONIndex, _ document: borrowing JSONDocument) -> Bool {
        var first = value
        for element in document.elements(of: value) {
            first = element
            break
        }
        guard let text = document.string(of: first) else { return false }
        return text.hasPrefix("ExponentPushToken[") || text.hasPrefix("ExpoPushToken[")
    }
}
