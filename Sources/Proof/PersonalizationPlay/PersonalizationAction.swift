package import AppPlay
package import EventDelivery
import Foundation
package import Personalization
package import PushDispatch

/// A step of `apns personalization play` (docs/reference/interfaces.md 1.7).
package enum PersonalizationAction: Hashable, Sendable {
    /// What is shown at a point: an item of its decision, or the decision as a whole.
    package struct Place: Hashable, Sendable {
        package var point: String
        package var item: Int?
    }

    case configure(PersonalizationSetup)
    case consent(ConsentState)
    case fetch(points: [String], context: DecisionContext, timeoutMilliseconds: Int64?)
    case appear(Place)
    case tap(Place)
    case dismiss(Place)
    case identify(PersonFacts)
    case logOut
    case openPush(payload: JSONValue, requestID: String?)
    case route(String)
    case online(Bool)
    case background
    case foreground
    case kill
    case flush
    case queue
}

/// Who has logged in, or what is set in the profile.
package struct PersonFacts: Hashable, Sendable {
    package var userID: String?
    package var email: String?
    /// Nil removes an attribute.
    package var attributes: [String: String?] = [:]

    /// Without an id and an email nobody logs in; then the attributes are those of whoever uses the app.
    package var isLogIn: Bool { userID != nil || email != nil }

    /// Those attributes that the library knows by a name of its own are set there.
    package var person: KnownPerson {
        var person = KnownPerson(userID: userID, email: email)
        for case (let name, let value?) in attributes {
            switch name {
            case "firstName": person.firstName = value
            case "lastName": person.lastName = value
            case "phoneNumber": person.phoneNumber = value
            default: person.attributes[name] = value
            }
        }
        return person
    }
}

extension PersonalizationAction: PlayAction {
    package static let names = [
        "configure", "consent", "fetch", "appear", "tap", "dismiss", "identify", "log-out", "open-push", "route",
        "online", "background", "foreground", "kill", "flush", "queue",
    ]

    package static func read(
        _ name: String, _ members: inout PlayMembers
    ) throws(PlayMistake) -> PersonalizationAction {
        switch name {
        case "configure": return .configure(try PersonalizationSetup(&members))
        case "consent":
            return .consent(
                try members.required("value", "\"opt-in\", \"opt-out\" or \"pending\"") { members throws(PlayMistake) in
                    try members.word(
                        "value", of: ["opt-in": .optedIn, "opt-out": .optedOut, "pending": ConsentState.pending])
                })
        case "fetch": return try fetch(&members)
        case "appear": return .appear(try Place(&members))
        case "tap": return .tap(try Place(&members))
        case "dismiss": return .dismiss(try Place(&members))
        case "identify": return .identify(try PersonFacts(&members))
        case "log-out": return .logOut
        case "open-push":
            let payload = try members.required("payload", "the payload of a push") { members throws(PlayMistake) in
                try members.object("payload")
            }
            return .openPush(payload: .object(payload), requestID: try members.string("request-id"))
        case "route":
            return .route(
                try members.required("url", "a link") { members throws(PlayMistake) in try members.string("url") })
        case "online":
            return .online(
                try members.required("value", "true or false") { members throws(PlayMistake) in
                    try members.flag("value")
                })
        case "background": return .background
        case "foreground": return .foreground
        case "kill": return .kill
        case "flush": return .flush
        case "queue": return .queue
        default: throw PlayMistake("there is no step \"\(name)\"")
        }
    }

    private static func fetch(_ members: inout PlayMembers) throws(PlayMistake) -> PersonalizationAction {
        let points = try members.required("points", "the names of points") { members throws(PlayMistake) in
            try members.strings("points")
        }
        let context = try members.object("context").map { object throws(PlayMistake) in
            try DecisionContext(playing: object)
        }
        return .fetch(
            points: points, context: context ?? DecisionContext(), timeoutMilliseconds: try members.seconds("timeout"))
    }
}

extension PersonalizationAction.Place {
    fileprivate init(_ members: inout PlayMembers) throws(PlayMistake) {
        point = try members.required("point", "the name of a point that was fetched") { members throws(PlayMistake) in
            try members.string("point")
        }
        item = try members.integer("item", in: 0...999).map { Int($0) }
    }
}

extension PersonFacts {
    fileprivate init(_ members: inout PlayMembers) throws(PlayMistake) {
        userID = try members.string("user-id")
        email = try members.string("email")
        for (name, value) in try members.object("attributes") ?? [:] {
            switch value {
            case .null: attributes[name] = .some(nil)
            case .string(let text): attributes[name] = text
            case .integer, .number, .bool: attributes[name] = String(decoding: value.compactBytes, as: UTF8.self)
            case .array, .object:
                throw PlayMistake(
                    "the step \"identify\": the attribute \"\(name)\" is \(value.kindInWords); a single value is wanted"
                )
            }
        }
    }
}

extension DecisionContext {
    /// The context of a request as it is on the wire. Who is asked for is the library's own.
    init(playing members: [String: JSONValue]) throws(PlayMistake) {
        self.init()
        var anchorType: String?
        for (key, value) in members where value != .null {
            guard !["individualId", "dataspace"].contains(key) else {
                throw PlayMistake("the step \"fetch\": the library sets \"\(key)\" of the context itself; leave it out")
            }
            let attribute: AttributeValue
            switch value {
            case .string(let text): attribute = .text(text)
            case .integer(let number): attribute = .integer(number)
            case .number(let number): attribute = .decimal(Decimal(string: "\(number)") ?? Decimal(number))
            case .bool(let flag): attribute = .boolean(flag)
            case .null, .array, .object:
                throw PlayMistake(
                    "the step \"fetch\": \"\(key)\" of the context is \(value.kindInWords); a single value is wanted")
            }
            switch key {
            case "profileId": profileID = attribute.text
            case "unifiedIndividualId": unifiedIndividualID = attribute.text
            case "anchorId": anchor = DecisionAnchor(id: attribute.text)
            case "anchorType": anchorType = attribute.text
            case "requestUrl": requestURL = attribute.text
            case "correlationId": correlationID = attribute.text
            case "messageId": messageID = attribute.text
            default: attributes[key] = attribute
            }
        }
        guard let anchorType else { return }
        guard anchor != nil else {
            throw PlayMistake("the step \"fetch\": the context has an \"anchorType\" and no \"anchorId\"; give both")
        }
        anchor?.type = anchorType
    }
}
