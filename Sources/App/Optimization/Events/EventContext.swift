import EventDelivery
import PushDispatch

/// What is added to an event when it happens.
struct EventContext: Hashable, Sendable {
    var app: OptimizationApp
    /// `name`, `source`, `medium`, `term`, `content`.
    var campaign: [String: String] = [:]
    /// The truth about the person's choice: false until they have agreed.
    var isConsentGiven: Bool
    var locale: String
    var userAgent: String?

    static let library: JSONValue = ["name": "apns-toolkit.Optimization", "version": "1.0"]

    /// The whole event.
    func json(_ event: OptimizationEvent, _ stamp: EventStamp) -> JSONValue {
        let time = JSONValue.string("\(stamp.time)")
        var members = event.members
        members["type"] = .string(event.type)
        members["channel"] = "mobile"
        members["messageId"] = .string("\(stamp.id)")
        // All three are the time of capture, also where the event is sent much later.
        for key in ["originalTimestamp", "sentAt", "timestamp"] { members[key] = time }
        var context: [String: JSONValue] = [
            "app": ["name": .string(app.name), "version": .string(app.version)],
            "campaign": .object(campaign.mapValues { .string($0) }),
            "gdpr": ["isConsentGiven": .bool(isConsentGiven)], "library": EventContext.library,
            "locale": .string(locale),
        ]
        if let userAgent { context["userAgent"] = .string(userAgent) }
        if let place = event.place { context[place.key] = place.value }
        members["context"] = .object(context)
        return .object(members)
    }
}
