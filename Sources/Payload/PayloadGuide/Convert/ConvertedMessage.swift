import APNSModel
import APNSPayload
import PayloadJSON

/// What the converters of all services collect, until envelopes are made of it.
struct ConvertedMessage {
    var aps = PayloadMembers()
    var custom = PayloadMembers()
    var topic: String?
    var pushType: String?
    var priority: String?
    var expiration: String?
    var collapseID: String?
    var apnsID: String?
    /// Valid device tokens. Without one there is one envelope, without a token.
    var deviceTokens: [String] = []
    var notes: [BodyConversion.Note] = []

    /// The text of a device token, or a note that it is none.
    ///
    /// - Parameter other: What it is where its form does not tell.
    mutating func take(deviceToken part: BodyPart, other: String) {
        guard !part.isNull else { return }
        guard let text = part.string else {
            notes.append(part.note(.lost, "a device token is a string; give it with --token"))
            return
        }
        guard !text.isEmpty else { return }
        if DeviceToken(text) != nil {
            deviceTokens.append(text)
            return
        }
        let pasted = PastedDeviceToken(text)
        let what = pasted.kind == .other ? other : "\(pasted.description): \(pasted.advice ?? "")"
        notes.append(part.note(.lost, "it \(what); the envelope has no token, so give the device token with --token"))
    }

    /// The members of an object; for another value than null a note that it is lost.
    mutating func members(of part: BodyPart, named name: String) -> [(key: String, value: BodyPart)] {
        guard part.isObject || part.isNull else {
            notes.append(part.note(.lost, "\(name) has to be an object"))
            return []
        }
        return part.members
    }

    /// Sets a key of `aps` to 1 for true; for another value than true and false a note that it is lost.
    mutating func take(flag: BodyPart, named name: String, into key: String) {
        if flag.isTrue {
            aps.setOne(key)
        } else if !flag.isFalse {
            notes.append(flag.note(.lost, "\(name) has to be true or false"))
        }
    }

    /// The text of a header; nil with a note that it is lost if the value is not a string or a number.
    mutating func text(of part: BodyPart, named name: String) -> String? {
        if let text = part.text { return text }
        notes.append(part.note(.lost, "\(name) has to be a string or a number"))
        return nil
    }

    /// Adds a text to an alert, or a note that the value is not one.
    mutating func take(_ key: String, _ text: BodyPart, into alert: inout PayloadMembers) {
        guard text.string != nil else {
            notes.append(text.note(.lost, "\(key) has to be a string"))
            return
        }
        alert.set(key, text.json)
    }

    /// Adds what a push type needs, and makes the envelopes.
    ///
    /// - Parameter whole: The body, for the place of what is added.
    mutating func finish(_ converter: BodyConverter, _ whole: BodyPart, into conversion: inout BodyConversion) {
        if pushType == nil { choosePushType(whole) }
        if pushType == PushType.background.rawValue, priority != "5" {
            if priority != nil { notes.append(whole.note(.changed, "the priority is 5, as a background push needs")) }
            priority = "5"
        }
        if topic == nil, let app = converter.app {
            topic = pushType.map { app.topic(for: PushType(rawValue: $0)).value } ?? app.value
        }
        conversion.notes += notes
        let payload = payload
        for token in deviceTokens.isEmpty ? [nil] : deviceTokens.map(Optional.some) {
            conversion.envelopes.append(
                Envelope(
                    kind: .envelope, token: token, topic: topic, pushType: pushType, priority: priority,
                    expiration: expiration, collapseID: collapseID, apnsID: apnsID, payload: payload))
        }
    }

    private var payload: [UInt8] {
        var root = PayloadMembers()
        root.set("aps", aps.json)
        let custom = custom
        return custom.isEmpty ? root.json : PayloadMembers.joined(root, custom)
    }

    /// What the payload shows decides; a message that shows nothing has to wake the app. One with a faulty alert stays an alert,
    /// for the validator to report it.
    private mutating func choosePushType(_ whole: BodyPart) {
        guard let document = try? JSONDocument(payload) else { return }
        if let known = PushTypeGuess.pushType(of: PayloadFacts(document)) {
            pushType = known.rawValue
            return
        }
        guard !aps.has("alert") else {
            pushType = PushType.alert.rawValue
            return
        }
        aps.setOne("content-available")
        pushType = PushType.background.rawValue
        notes.append(
            whole.note(
                .added,
                "it shows nothing, so aps has \"content-available\":1 and the push type is background; without it no app would "
                    + "be woken"))
    }
}

extension PayloadMembers {
    /// The members of both objects as one.
    fileprivate static func joined(_ first: PayloadMembers, _ second: PayloadMembers) -> [UInt8] {
        Array(first.json.dropLast()) + [UInt8(ascii: ",")] + second.json.dropFirst()
    }
}
