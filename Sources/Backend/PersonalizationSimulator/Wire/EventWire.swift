import APNSModel
import PushDispatch
import ServiceHost

/// Batches of events in both forms, and the checks of each event.
enum EventWire {
    /// `event=` and the URL-encoded base64 of `{"events":[…]}`.
    static func form(_ body: [UInt8]) throws(WireError) -> [ServiceEvent] {
        guard body.count <= ServiceLimits.body else {
            throw .bad("the body has more than \(ServiceLimits.body) bytes")
        }
        let prefix = Array("event=".utf8)
        let fields = body.split(separator: UInt8(ascii: "&")).filter { $0.starts(with: prefix) }
        guard fields.count <= 1 else {
            throw .bad("the form has \(fields.count) fields event; send one, with the events of all in its list")
        }
        guard let field = fields.first, field.count > prefix.count else { throw .bad("the form has no field event") }
        guard let base64 = FormText.decodeBytes(field.dropFirst(prefix.count)) else {
            throw .bad("the field event is not percent-encoded: two hexadecimal digits follow %")
        }
        let json: [UInt8]
        do throws(Base64.DecodingError) {
            json = try Base64.decode(base64, as: .padded)
        } catch {
            let plus =
                base64.contains(UInt8(ascii: " "))
                ? "; it has a blank, which is what a form decoder makes of +: percent-encode + / and =" : ""
            throw .bad("the field event is not base64 with padding\(plus)")
        }
        return try batch(json)
    }

    /// `{"events":[…]}`
    static func batch(_ json: [UInt8]) throws(WireError) -> [ServiceEvent] {
        let root = try WireMembers(WireMembers.json(json), "")
        guard let value = root.members["events"], let elements = value.array else {
            throw .bad("events is missing or not a list")
        }
        guard elements.count <= ServiceLimits.eventsPerBatch else {
            throw .bad("events has more than \(ServiceLimits.eventsPerBatch) events; send them in several batches")
        }
        var events: [ServiceEvent] = []
        events.reserveCapacity(elements.count)
        for (index, element) in elements.enumerated() {
            do throws(WireError) {
                events.append(try event(WireMembers(element, "events[\(index)]")))
            } catch {
                throw WireError(error.status, error.description, event: index)
            }
        }
        return events
    }

    /// - Parameter isStored: For an event of a store: it passed what was checked of its kind when it arrived.
    static func event(_ members: WireMembers, isStored: Bool = false) throws(WireError) -> ServiceEvent {
        func required(_ key: String, _ why: String = "") throws(WireError) -> String {
            guard let text = try members.text(key) else { throw .bad("\(members.path(key)) is missing\(why)") }
            return text
        }
        let id = try required("eventId")
        guard UUIDText.isValid(id) else {
            throw .bad("\(members.path("eventId")) is \(ShownText.quoted(id)); a UUID is wanted")
        }
        let date = try required("dateTime")
        guard isDateForm(date), let time = TimeText.milliseconds(ofTime: date) else {
            throw .bad(
                "\(members.path("dateTime")) is \(ShownText.quoted(date)); a time such as 2026-05-08T09:15:30.120Z is "
                    + "wanted")
        }
        let words = ServiceEvent.Category.allCases.map(\.rawValue).joined(separator: " or ")
        let categoryText = try required("category")
        guard let category = ServiceEvent.Category(rawValue: categoryText) else {
            throw .bad("\(members.path("category")) is \(ShownText.quoted(categoryText)); \(words) is wanted")
        }
        let event = ServiceEvent(
            id: id, time: time, deviceID: try required("deviceId"), sessionID: try required("sessionId"),
            type: try required("eventType"), category: category, interactionName: try members.text("interactionName"),
            personalizationID: try members.text("personalizationId"),
            contentID: try members.text("personalizationContentId"), members: members.members)
        guard event.bytes <= ServiceLimits.event else {
            throw .bad("\(members.place) is longer than \(ServiceLimits.event) bytes")
        }
        if !isStored { try checkKind(event, members, required) }
        return event
    }

    private typealias Required = (String, String) throws(WireError) -> String

    private static let profileTypes: Set<String> = [
        "identity", "contactPointEmail", "contactPointPhone", "contactPointAddress", "partyIdentification",
    ]

    /// The fields that a kind of event must carry. Without them it is useless for attribution.
    private static func checkKind(
        _ event: ServiceEvent, _ members: WireMembers, _ required: Required
    ) throws(WireError) {
        let wanted: ServiceEvent.Category? =
            profileTypes.contains(event.type)
            ? .profile
            : [
                "catalog", "cart", "order", "appEvents", "consentLog",
                "userEngagement", "engagement",
            ].contains(event.type) ? .engagement : nil
        if let wanted, event.category != wanted {
            throw .bad("\(members.path("category")) of \(event.type) must be \(wanted.rawValue)")
        }
        if wanted == .profile {
            // What joins people.
            for key in ["userId", "email"] { try members.checkLength(key) }
        }
        let why = ", which \(event.type) must carry"
        switch event.type {
        case "identity":
            let flag = try required("isAnonymous", why)
            guard ["0", "1"].contains(flag) else { throw .bad("\(members.path("isAnonymous")) must be \"0\" or \"1\"") }
        case "contactPointEmail": _ = try required("email", why)
        case "contactPointPhone": _ = try required("phoneNumber", why)
        case "contactPointAddress": _ = try required("addressLine1", why)
        case "partyIdentification":
            for key in ["IDName", "IDType", "userId"] { _ = try required(key, why) }
        case "catalog":
            _ = try required("interactionName", why)
            for key in ["type", "id"] { _ = try required(key, why) }
        case "consentLog":
            let status = try required("status", why)
            guard ["Opt In", "Opt Out"].contains(status) else {
                throw .bad("\(members.path("status")) must be \"Opt In\" or \"Opt Out\"")
            }
        case "appEvents": _ = try required("behaviorType", why)
        case "userEngagement", "engagement": _ = try required("interactionName", why)
        default: break
        }
        try checkAction(event, members, required)
    }

    private static func checkAction(
        _ event: ServiceEvent, _ members: WireMembers, _ required: Required
    ) throws(WireError) {
        guard let action = event.action else { return }
        // Browsing a catalogue has nothing to do with a decision. Nothing is dismissed there.
        guard
            event.type != "catalog" || action == .dismissal || event.personalizationID != nil || event.contentID != nil
        else { return }
        let why = ", without which \(action.rawValue) belongs to no decision"
        switch action {
        case .impression, .click:
            _ = try required("personalizationId", why)
            _ = try required("personalizationContentId", why)
        case .dismissal: _ = try required("personalizationId", why)
        case .open: break
        }
        if let content = event.contentID, event.personalizationID != nil, event.content == nil {
            throw .bad(
                "\(members.path("personalizationContentId")) is \(ShownText.quoted(content)); the personalizationId is "
                    + "wanted, or it with a colon and the index of an item")
        }
    }

    /// `yyyy-MM-dd'T'HH:mm:ss.SSS'Z'`
    private static func isDateForm(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return bytes.count == 24 && bytes[10] == UInt8(ascii: "T") && bytes[19] == UInt8(ascii: ".")
            && bytes[23] == UInt8(ascii: "Z")
    }
}
