import PayloadJSON

extension ServiceBody {
    /// Keys of a message whose values are objects. Hardly any app has one of them in an object `message`.
    private static let parts: [StaticString] = ["apns", "android", "webpush", "notification", "fcm_options"]
    private static let addresses: [StaticString] = ["token", "topic", "condition"]
    private static let messageKeys: [StaticString] = parts + addresses + ["name", "data", "fid"]

    /// A message of Firebase: in a body of its HTTP v1, or as its Admin SDK takes it.
    static func firebase(
        _ root: JSONIndex, _ document: borrowing JSONDocument, onlyUnmistakable: Bool
    ) -> ServiceBody? {
        if let message = document.object("message", of: root) {
            let hasAddressAndData =
                document.hasAny(addresses, of: message) && document.object("data", of: message) != nil
            if isUnmistakable(message, document) || !onlyUnmistakable && hasAddressAndData {
                let name = "a body of Firebase (HTTP v1)"
                return ofAPNs(in: message, name, document)
                    ?? ServiceBody(name: name, advice: replacement(for: message, document), member: message)
            }
        }
        let name = "a message of Firebase's Admin SDK"
        if let body = ofAPNs(in: root, name, document),
            !onlyUnmistakable || document.object("aps", of: body.member) != nil
        {
            return body
        }
        guard !onlyUnmistakable, document.hasAny(addresses + ["tokens"], of: root),
            let part = document.object("android", of: root) ?? document.object("webpush", of: root)
        else { return nil }
        return ServiceBody(name: name, advice: replacement(for: root, document), member: part)
    }

    private static func isUnmistakable(_ message: JSONIndex, _ document: borrowing JSONDocument) -> Bool {
        for key in parts where document.object(key, of: message) != nil { return true }
        guard document.text("token", of: message) != nil else { return false }
        for member in document.members(of: message) {
            guard isKeyOfMessage(member.key, document) else { return false }
        }
        return true
    }

    private static func isKeyOfMessage(_ key: JSONIndex, _ document: borrowing JSONDocument) -> Bool {
        for name in messageKeys where document.isString(key, name) { return true }
        return false
    }

    /// The part for APNs of a message; nil if it has none.
    private static func ofAPNs(
        in message: JSONIndex, _ name: String, _ document: borrowing JSONDocument
    ) -> ServiceBody? {
        guard let apns = document.object("apns", of: message), let payload = document.object("payload", of: apns) else {
            return nil
        }
        var advice = "take \(document.pointer(to: payload))"
        if let headers = document.object("headers", of: apns) {
            advice += ", and \(document.pointer(to: headers)) as headers"
        }
        return ServiceBody(name: name, advice: advice, member: payload, isPart: true)
    }

    /// What to make of a message without a part for APNs.
    private static func replacement(for message: JSONIndex, _ document: borrowing JSONDocument) -> String {
        let path = document.pointer(to: message)
        if document.object("notification", of: message) != nil {
            return "take title and body of \(path)/notification into aps.alert, and the members of data beside aps"
        }
        if document.object("data", of: message) != nil {
            return "take the members of \(path)/data into the root, beside an aps"
        }
        return "write into an aps what the device is to show, or content-available 1 to wake the app"
    }

    /// Keys of Firebase's HTTP API of former years that have no other use.
    private static let formerKeys: [StaticString] = [
        "content_available", "mutable_content", "collapse_key", "time_to_live", "delay_while_idle",
        "restricted_package_name",
    ]
    /// Keys of its `notification`.
    private static let notificationKeys: [StaticString] = [
        "title", "body", "title_loc_key", "body_loc_key", "sound", "badge", "image", "icon", "click_action", "tag",
        "android_channel_id",
    ]

    /// A body of Firebase's HTTP API of former years, or the part of one that servers build.
    static func formerFirebase(
        _ root: JSONIndex, _ document: borrowing JSONDocument, _ onlyUnmistakable: Bool
    ) -> ServiceBody? {
        guard let member = onlyUnmistakable ? addressedData(of: root, document) : former(root, document) else {
            return nil
        }
        return ServiceBody(name: "a body of Firebase", advice: replacement(for: root, document), member: member)
    }

    /// The `data` of a body that is for devices or topics of Firebase. Other addresses may be an app's own, such as the
    /// number that is called.
    private static func addressedData(of root: JSONIndex, _ document: borrowing JSONDocument) -> JSONIndex? {
        guard let data = document.object("data", of: root) else { return nil }
        if let devices = document.member("registration_ids", of: root), document.kind(of: devices) == .array {
            return data
        }
        guard let to = document.text("to", of: root) else { return nil }
        let isRegistration = to.split(separator: ":").contains { $0.hasPrefix("APA91b") }
        return isRegistration || to.hasPrefix("/topics/") ? data : nil
    }

    /// The member that shows it; nil for a payload.
    private static func former(_ root: JSONIndex, _ document: borrowing JSONDocument) -> JSONIndex? {
        let notification = document.object("notification", of: root)
        let data = document.object("data", of: root)
        let formerKey = document.first(formerKeys, of: root)
        let devices = document.first(["registration_ids", "tokens"], of: root)
        let isList = devices.map { document.kind(of: $0) == .array } ?? false
        let to = document.text("to", of: root)
        let address = to ?? document.text("condition", of: root)
        let isAddressed = address != nil || isList

        var sign: JSONIndex?
        if let notification {
            let isOthers =
                data == nil && formerKey == nil && !isAddressed && !document.hasAny(notificationKeys, of: notification)
            sign = isOthers ? nil : notification
        }
        if sign == nil, isList, data != nil || document.hasAny(["registration_ids"], of: root) {
            sign = data ?? devices
        }
        if sign == nil, let formerKey, isAddressed || data != nil { sign = data ?? formerKey }
        if sign == nil, let address, let data {
            let priority = document.text("priority", of: root)
            let isOfTopics = address.hasPrefix("/topics/") || address.split(separator: " ").contains("topics")
            let hasContent = to != nil && document.hasMembers(data)
            sign = isOfTopics || priority == "high" || priority == "normal" || hasContent ? data : nil
        }
        return sign
    }
}
