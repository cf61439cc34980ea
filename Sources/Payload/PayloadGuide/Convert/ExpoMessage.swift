import APNSModel
import APNSPayload
import PayloadJSON

/// A message of Expo's push service.
///
/// Source: Expo, "Send notifications with the Expo Push Service: message request format".
struct ExpoMessage {
    private let body: BodyPart

    init(_ body: BodyPart) { self.body = body }

    func convert(_ converter: BodyConverter, into conversion: inout BodyConversion) {
        var result = ConvertedMessage()
        var alert = PayloadMembers()
        for (key, value) in result.members(of: body) {
            switch key {
            case "to": take(recipients: value, &result)
            case "title", "subtitle", "body": result.take(key, value, into: &alert)
            case "sound": take(sound: value, &result)
            case "badge": result.aps.set("badge", value.json)
            case "categoryId": result.aps.set("category", value.json)
            case "interruptionLevel": result.aps.set("interruption-level", value.json)
            case "mutableContent": result.take(flag: value, named: key, into: "mutable-content")
            case "_contentAvailable", "contentAvailable":
                result.take(flag: value, named: key, into: "content-available")
            case "data": take(data: value, &result)
            case "priority": take(priority: value, &result)
            case "ttl": take(ttl: value, converter.now, &result)
            case "expiration": take(expiration: value, &result)
            case "collapseId": result.collapseID = result.text(of: value, named: key)
            default: result.notes.append(value.note(.lost, ExpoMessage.others[key] ?? "APNs has nothing like it"))
            }
        }
        result.finish(converter, body, into: &conversion)
    }

    private static let others = [
        "channelId": "it is for Android only", "icon": "it is for Android only", "tag": "it is for Android only",
        "richContent":
            "APNs shows no image by itself; send its address in a key of the app, with mutable-content 1 and a service extension "
            + "that loads it",
        "_displayInForeground": "the app decides what is shown in the foreground",
    ]

    /// A string, or an array of strings.
    private func take(recipients: BodyPart, _ result: inout ConvertedMessage) {
        for recipient in recipients.isArray ? recipients.elements : [recipients] {
            result.take(
                deviceToken: recipient,
                other: "is not a device token; APNs takes the one of the system, from getDevicePushTokenAsync()")
        }
    }

    /// A name, or the object of a critical alert.
    private func take(sound: BodyPart, _ result: inout ConvertedMessage) {
        guard sound.isObject else {
            result.aps.set("sound", sound.json)
            return
        }
        var object = PayloadMembers()
        for (key, value) in result.members(of: sound) {
            if key == "critical" {
                object.set(key, Array((value.isTrue ? "1" : "0").utf8))
            } else {
                object.set(key, value.json)
            }
        }
        if !object.has("name") { object.set("name", "default") }
        result.aps.set("sound", object.json)
    }

    private func take(data: BodyPart, _ result: inout ConvertedMessage) {
        result.custom.set("body", data.json)
        result.notes.append(
            data.note(
                .changed,
                "it is in the key body beside aps, where expo-notifications looks for it; another app wants its own keys there"
            ))
    }

    /// `default` is `high` on Apple's systems.
    private func take(priority: BodyPart, _ result: inout ConvertedMessage) {
        switch priority.string {
        case "high", "default": result.priority = "10"
        case "normal": result.priority = "5"
        default: result.notes.append(priority.note(.lost, "Expo knows the priorities default, normal and high"))
        }
    }

    /// Seconds from now on. It wins over `expiration`.
    private func take(ttl: BodyPart, _ now: Int64, _ result: inout ConvertedMessage) {
        guard let seconds = ExpoMessage.seconds(of: ttl) else {
            result.notes.append(ttl.note(.lost, "ttl is a whole number of seconds"))
            return
        }
        result.expiration = seconds == 0 ? "0" : "\(now + seconds)"
        if seconds > 0 {
            result.notes.append(ttl.note(.changed, "apns-expiration is a time, \(seconds) s from now"))
        }
    }

    /// The value of `ttl`; nil for one that cannot be used.
    private static func seconds(of ttl: BodyPart) -> Int64? {
        ttl.integer.flatMap { (0...99_999_999_999).contains($0) ? $0 : nil }
    }

    private func take(expiration: BodyPart, _ result: inout ConvertedMessage) {
        guard body["ttl"].flatMap({ ExpoMessage.seconds(of: $0) }) == nil else {
            result.notes.append(expiration.note(.lost, "ttl wins, as at Expo"))
            return
        }
        result.expiration = result.text(of: expiration, named: "expiration")
    }
}
