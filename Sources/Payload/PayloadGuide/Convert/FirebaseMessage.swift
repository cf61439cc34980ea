import APNSModel
import APNSPayload
import PayloadJSON

/// A body of Firebase Cloud Messaging, HTTP v1. Names may be in snake_case or camelCase, as in other APIs of Google.
///
/// Source: Firebase, "REST Resource: projects.messages": `apns.payload` wins over title and body of `notification`, and
/// members of `data` are the app's keys beside `aps`.
struct FirebaseMessage {
    private let body: BodyPart
    private let message: BodyPart

    /// - Parameter body: The whole body, or its object `message` alone.
    init?(_ body: BodyPart) {
        self.body = body
        let message = body["message"] ?? body
        let keys = ["token", "topic", "condition", "notification", "data", "apns"]
        guard message.isObject, message.members.contains(where: { keys.contains($0.key) }) else { return nil }
        self.message = message
    }

    func convert(_ converter: BodyConverter, into conversion: inout BodyConversion) {
        var result = ConvertedMessage()
        if body["message"] != nil {
            for (key, value) in result.members(of: body) where key != "message" {
                result.notes.append(value.note(.lost, FirebaseMessage.others[key] ?? FirebaseMessage.unknown))
            }
        }
        for (key, value) in result.members(of: message) {
            switch key {
            case "apns":
                takePayload(value["payload"], &result)
                takeOptions(value, &result)
            case "notification": takeNotification(value, &result)
            case "data": takeData(value, &result)
            case "token": takeToken(value, &result)
            default: result.notes.append(value.note(.lost, FirebaseMessage.others[key] ?? FirebaseMessage.unknown))
            }
        }
        takeHeaders(message["apns"]?["headers"], &result)
        result.finish(converter, message, into: &conversion)
    }

    private static let unknown = "APNs has nothing like it"

    private static let others = [
        "android": "it is for Android only", "webpush": "it is for browsers only",
        "topic": "APNs has no topics that devices subscribe to: send to the device token of each subscriber",
        "condition": "APNs has no topics that devices subscribe to: send to the device token of each subscriber",
        "name": "it is the id that Firebase gave to the message",
        "fcm_options": "its label is for the statistics of Firebase",
        "fcmOptions": "its label is for the statistics of Firebase",
        "validate_only": "APNs has no trial run; apns send --dry-run sends nothing, either",
        "validateOnly": "APNs has no trial run; apns send --dry-run sends nothing, either",
    ]

    // MARK: - Payload

    private func takePayload(_ payload: BodyPart?, _ result: inout ConvertedMessage) {
        guard let payload else { return }
        for (key, value) in result.members(of: payload, named: "payload") {
            if key == "aps" {
                for (key, value) in result.members(of: value, named: key) { result.aps.set(key, value.json) }
            } else {
                result.custom.set(key, value.json)
            }
        }
    }

    private func takeNotification(_ notification: BodyPart, _ result: inout ConvertedMessage) {
        let hasOwnAlert = message["apns"]?["payload"]?["aps"]?.has("alert") ?? false
        var alert = PayloadMembers()
        for (key, value) in result.members(of: notification, named: "notification") {
            switch key {
            case "title" where !hasOwnAlert, "body" where !hasOwnAlert: result.take(key, value, into: &alert)
            case "title", "body":
                result.notes.append(value.note(.lost, "the alert of apns.payload wins, as at Firebase"))
            case "image": result.notes.append(value.note(.lost, FirebaseMessage.image))
            default: result.notes.append(value.note(.lost, FirebaseMessage.unknown))
            }
        }
    }

    private static let image =
        "the service extension of Firebase's SDK loads it; send the address in a key of the app, with mutable-content 1 and an "
        + "extension that loads it"

    private func takeData(_ data: BodyPart, _ result: inout ConvertedMessage) {
        for (key, value) in result.members(of: data, named: "data") {
            if key == "aps" {
                result.notes.append(value.note(.lost, "the key aps belongs to the system"))
            } else if message["apns"]?["payload"]?.has(key) == true {
                result.notes.append(value.note(.lost, "apns.payload has the same key, and wins"))
            } else {
                result.custom.set(key, value.json)
            }
        }
    }

    // MARK: - Headers and device token

    private func takeOptions(_ apns: BodyPart, _ result: inout ConvertedMessage) {
        for (key, value) in result.members(of: apns, named: "apns") {
            switch key {
            case "headers", "payload", "live_activity_token", "liveActivityToken": break
            case "fcm_options", "fcmOptions":
                for (key, value) in result.members(of: value, named: key) {
                    let why = key == "image" ? FirebaseMessage.image : "it is for the statistics of Firebase"
                    result.notes.append(value.note(.lost, why))
                }
            default: result.notes.append(value.note(.lost, FirebaseMessage.unknown))
            }
        }
        if let token = apns["live_activity_token", "liveActivityToken"] {
            result.take(
                deviceToken: token, other: "is not a device token of a Live Activity, which has hexadecimal digits")
        }
    }

    private func takeToken(_ token: BodyPart, _ result: inout ConvertedMessage) {
        guard message["apns"]?["live_activity_token", "liveActivityToken"]?.isNull ?? true else {
            result.notes.append(
                token.note(.lost, "APNs needs only the device token of the Live Activity, which the envelope has"))
            return
        }
        result.take(
            deviceToken: token,
            other:
                "is a registration token of Firebase, to which only Firebase sends; APNs takes the device token, which Firebase "
                + "calls apnsToken")
    }

    private func takeHeaders(_ headers: BodyPart?, _ result: inout ConvertedMessage) {
        guard let headers else { return }
        for (key, value) in result.members(of: headers, named: "headers") {
            guard let text = result.text(of: value, named: key) else { continue }
            switch key.lowercased() {
            case "apns-topic": result.topic = text
            case "apns-push-type": result.pushType = text
            case "apns-priority": result.priority = text
            case "apns-expiration": result.expiration = text
            case "apns-collapse-id": result.collapseID = text
            case "apns-id": result.apnsID = text
            default: result.notes.append(value.note(.lost, "envelopes have no such header"))
            }
        }
    }
}
