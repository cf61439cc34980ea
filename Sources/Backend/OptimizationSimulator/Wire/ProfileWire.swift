import APNSModel
import PushDispatch
import ServiceHost

/// Requests to the profile and the analytics service as JSON.
struct ProfileWire {
    /// Whether an event without one of the common fields is refused.
    let isStrict: Bool

    struct Body: Hashable {
        var events: [ProfileEvent]
        var features: Set<OptimizationService.Feature>
    }

    /// `{"events":[…],"options":{"features":[…]}}`
    func body(_ bytes: [UInt8]) throws(WireError) -> Body {
        let (elements, features) = try parts(of: bytes)
        guard elements.count <= OptimizationLimits.eventsPerRequest else {
            throw .bad(
                "events has \(elements.count) events; at most \(OptimizationLimits.eventsPerRequest) go into a request")
        }
        var events: [ProfileEvent] = []
        for (index, element) in elements.enumerated() { events.append(try event(element, "events[\(index)]")) }
        return Body(events: events, features: features)
    }

    /// The same for many profiles: each event has `anonymousId`.
    func batch(_ bytes: [UInt8]) throws(WireError) -> Body {
        let body = try body(bytes)
        for (index, event) in body.events.enumerated() where event.anonymousID == nil {
            throw .bad("events[\(index)].anonymousId is missing; it names the profile")
        }
        let identifies = body.events.count { $0.kind == .identify }
        guard identifies <= OptimizationLimits.identifiesPerBatch else {
            throw .bad(
                "events has \(identifies) identify events; at most \(OptimizationLimits.identifiesPerBatch) go into a batch"
            )
        }
        let profiles = Set(body.events.compactMap(\.anonymousID)).count
        guard profiles <= OptimizationLimits.profilesPerBatch else {
            throw .bad(
                "events is about \(profiles) profiles; at most \(OptimizationLimits.profilesPerBatch) go into a batch")
        }
        return body
    }

    /// What can be taken of a batch that is not answered.
    func imported(_ bytes: [UInt8]) -> (body: Body, refused: Int) {
        guard let (elements, features) = try? parts(of: bytes) else { return (Body(events: [], features: []), 1) }
        var events: [ProfileEvent] = []
        var profiles: Set<String> = []
        var identifies = 0
        for element in elements.prefix(OptimizationLimits.eventsPerRequest) {
            guard let event = try? event(element, "events"), let id = event.anonymousID else { continue }
            guard profiles.contains(id) || profiles.count < OptimizationLimits.profilesPerBatch else { continue }
            if event.kind == .identify {
                guard identifies < OptimizationLimits.identifiesPerBatch else { continue }
                identifies += 1
            }
            profiles.insert(id)
            events.append(event)
        }
        return (Body(events: events, features: features), elements.count - events.count)
    }

    /// `[{"profile":{"id":"…"},"events":[…]}]`
    func analytics(_ bytes: [UInt8]) throws(WireError) -> [(profile: String, events: [ProfileEvent])] {
        guard let groups = try WireMembers.json(bytes).array, !groups.isEmpty else {
            throw .bad("the body is not a list of profiles with events, or it is empty")
        }
        var found: [(profile: String, events: [ProfileEvent])] = []
        var count = 0
        for (index, group) in groups.enumerated() {
            let members = try WireMembers(group, "[\(index)]")
            let profile = try WireMembers(members.members["profile"], "[\(index)].profile")
            guard let id = try profile.text("id") else { throw .bad("[\(index)].profile.id is missing") }
            let elements = members.members["events"]?.array ?? []
            guard !elements.isEmpty else { throw .bad("[\(index)].events is missing or empty") }
            count += elements.count
            guard count <= OptimizationLimits.analyticsEvents else {
                throw .bad(
                    "there are more than \(OptimizationLimits.analyticsEvents) events; send them in several requests")
            }
            var events: [ProfileEvent] = []
            for (position, element) in elements.enumerated() {
                let place = "[\(index)].events[\(position)]"
                let event = try event(element, place)
                guard event.kind.isEngagement else {
                    throw .bad(
                        "\(place).type is \(event.kind.rawValue); component, component_click or component_hover is wanted"
                    )
                }
                events.append(event)
            }
            found.append((id, events))
        }
        return found
    }

    private func parts(
        of bytes: [UInt8]
    ) throws(WireError) -> ([JSONValue], Set<OptimizationService.Feature>) {
        let root = try WireMembers(WireMembers.json(bytes), "")
        guard let elements = root.members["events"]?.array, !elements.isEmpty else {
            throw .bad("events is missing or empty; a list with at least one event is wanted")
        }
        guard let options = root.members["options"], options != .null else { return (elements, []) }
        let features = try WireMembers(options, "options").members["features"] ?? []
        guard let names = features.array else {
            throw .bad("options.features is \(features.kindInWords); a list of strings is wanted")
        }
        return (elements, Set(names.compactMap { $0.string.flatMap { OptimizationService.Feature(rawValue: $0) } }))
    }

    // MARK: Events

    private static let times = ["originalTimestamp", "sentAt", "timestamp"]
    private static let channels: Set<String> = ["mobile", "web", "server"]

    func event(_ value: JSONValue, _ place: String) throws(WireError) -> ProfileEvent {
        let members = try WireMembers(value, place)
        guard let type = try members.text("type") else { throw .bad("\(members.path("type")) is missing") }
        guard let kind = ProfileEvent.Kind(rawValue: type) else {
            let known = ProfileEvent.Kind.allCases.map(\.rawValue).joined(separator: ", ")
            throw .bad("\(members.path("type")) is \(ShownText.quoted(type)); one of \(known) is wanted")
        }
        try checkCommon(members)
        // An empty user id is that of somebody who is not known.
        let userID = members.members["userId"] == "" ? nil : try members.text("userId")
        var variant = members.members["variantIndex"] ?? 0
        if variant == .null { variant = 0 }
        guard case .integer(let index) = variant, (0...Int64(Int32.max)).contains(index) else {
            throw .bad("\(members.path("variantIndex")) is \(variant.kindInWords); a whole number from 0 is wanted")
        }
        let event = ProfileEvent(
            kind, messageID: try members.text("messageId"), userID: userID,
            anonymousID: try members.text("anonymousId"), name: try members.text("event"),
            componentID: try members.text("componentId"), experienceID: try members.text("experienceId"),
            variantIndex: Int(index), members: members.members)
        guard event.bytes <= OptimizationLimits.event else {
            throw .bad("\(place) is longer than \(OptimizationLimits.event) bytes")
        }
        try checkKind(event, members)
        return event
    }

    private func checkCommon(_ members: WireMembers) throws(WireError) {
        let missing = (ProfileWire.times + ["channel", "context", "messageId"]).first { key in
            (members.members[key] ?? .null) == .null
        }
        if isStrict, let missing {
            throw .bad("\(members.path(missing)) is missing, which each event must carry (strict-events)")
        }
        if let id = try members.text("messageId"), !UUIDText.isValid(id) {
            throw .bad("\(members.path("messageId")) is \(ShownText.quoted(id)); a UUID is wanted")
        }
        for key in ProfileWire.times {
            guard let text = try members.text(key) else { continue }
            guard text.contains("T"), TimeText.milliseconds(ofTime: text) != nil else {
                throw .bad(
                    "\(members.path(key)) is \(ShownText.quoted(text)); a time such as 2026-05-08T09:15:30.120Z is wanted"
                )
            }
        }
        if let channel = try members.text("channel"), !ProfileWire.channels.contains(channel) {
            throw .bad("\(members.path("channel")) is \(ShownText.quoted(channel)); mobile, web or server is wanted")
        }
        for key in ["context", "traits", "properties"] {
            guard let value = members.members[key], value != .null else { continue }
            let inner = try WireMembers(value, members.path(key))
            guard key == "context", let location = inner.members["location"], location != .null else { continue }
            let code = try WireMembers(location, inner.path("location")).text("countryCode")
            guard code.map({ $0.utf8.count == 2 }) ?? true else {
                throw .bad("\(inner.path("location")).countryCode must have two letters")
            }
        }
    }

    private func checkKind(_ event: ProfileEvent, _ members: WireMembers) throws(WireError) {
        func require(_ key: String, _ value: String?) throws(WireError) {
            guard value == nil else { return }
            throw .bad("\(members.path(key)) is missing, which \(event.kind.rawValue) must carry")
        }
        switch event.kind {
        case .track: try require("event", event.name)
        case .screen:
            let name = try members.text("name")
            try require("name", name ?? members.members["properties"]?.object?["name"]?.string)
        case .component, .click, .hover:
            try require("componentId", event.componentID)
            guard let type = try members.text("componentType") else { break }
            guard ["Entry", "Variable"].contains(type) else {
                throw .bad("\(members.path("componentType")) is \(ShownText.quoted(type)); Entry or Variable is wanted")
            }
        case .alias: try require("userId", event.userID)
        case .identify, .page, .group: break
        }
    }
}
