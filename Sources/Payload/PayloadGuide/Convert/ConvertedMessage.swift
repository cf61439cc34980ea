import APNSModel
import APNSPayload
import PayloadJSON

/// What the converters of all services collect, until envelopes are made of it.
struct ConvertedMessage {
    /// The keys of `aps`, which is in the payload where the body has its first part of it.
    var aps = PayloadMembers() {
        didSet { apsPlace = apsPlace ?? custom.count }
    }
    /// The app's keys beside `aps`.
    var custom = PayloadMembers()
    /// How many of the app's keys are before `aps`; nil until it has a key.
    private var apsPlace: Int?
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

    /// The members of an object, and a note for each value that is lost because its key is repeated.
    mutating func members(of part: BodyPart) -> [(key: String, value: BodyPart)] {
        notes += part.overridden.map { $0.note(.lost, "the key is repeated, and its last value counts") }
        return part.members
    }

    /// The same; for another value than an object or null a note that it is lost.
    mutating func members(of part: BodyPart, named name: String) -> [(key: String, value: BodyPart)] {
        guard part.isObject || part.isNull else {
            notes.append(part.note(.lost, "\(name) has to be an object"))
            return []
        }
        return members(of: part)
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

    /// Adds a text to an alert and the alert to `aps`, or a note that the value is not a text or is empty.
    mutating func take(_ key: String, _ text: BodyPart, into alert: inout PayloadMembers) {
        guard let string = text.string else {
            notes.append(text.note(.lost, "\(key) has to be a string"))
            return
        }
        guard !string.isEmpty else {
            notes.append(text.note(.lost, "it is empty, so it shows nothing"))
            return
        }
        alert.set(key, text.json)
        aps.set("alert", alert.json)
    }

    /// Adds what a push type needs, and makes the envelopes.
    ///
    /// - Parameter whole: The body, for the place of what is added.
    mutating func finish(_ converter: BodyConverter, _ whole: BodyPart, into conversion: inout BodyConversion) {
        // What is added to an empty aps is at its usual place.
        if aps.isEmpty { apsPlace = 0 }
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
        var root = custom
        root.insert("aps", aps.json, at: apsPlace ?? 0)
        return root.json
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
        guard !aps.has("content-changed") else {
            notes.append(
                whole.note(
                    .changed,
                    "it has no push type, because content-changed is for controls and for widgets; add apns-push-type"))
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
