import AppPlay
import EventDelivery
import Personalization
import PushDispatch

// How results show what the library answers.

extension FetchedDecisions {
    /// The contract's word: the library calls it service.
    private var playedSource: String { source == .service ? "network" : source.rawValue }

    var playedMembers: [(key: String, value: JSONValue)] {
        var members: [(key: String, value: JSONValue)] = [
            ("source", .string(playedSource)), ("personalizations", .array(decisions.map(\.playedValue))),
            ("credits", .integer(Int64(credits))), ("request-ids", .array(requestIDs.map { .string($0) })),
        ]
        if let receivedAt { members.append(("received-at", .string(receivedAt.description))) }
        if let failure {
            members += [("failure", .string(failure.code.rawValue)), ("failure-detail", .string(failure.detail))]
        }
        return members
    }

    var playedText: String {
        let points = decisions.map { decision in
            decision.items.isEmpty ? decision.point : "\(decision.point) (\(decision.items.count) items)"
        }
        let reason = failure.map { ", because of \($0.code)" } ?? ""
        return "\(playedSource)\(reason): \(points.isEmpty ? "nothing to show" : points.joined(separator: ", "))"
    }
}

extension Decision {
    /// The element of the reply; for the app's own content the same shape without ids.
    var playedValue: JSONValue {
        guard members.isEmpty else { return .object(members) }
        return [
            "personalizationPointName": .string(point), "attributes": .object(attributes.members),
            "data": .array(items.map { .object($0.fields.members) }),
        ]
    }
}

extension EngagementContent {
    var playedMembers: [(key: String, value: JSONValue)] {
        [("personalization-id", .string(personalizationID)), ("content-id", .string(contentID))]
    }
}

extension DeepLinkRoute {
    var playedText: String { "\(kind) \(value)" }
}

extension DeepLinkRoute? {
    var playedValue: JSONValue { map { .object([$0.kind.rawValue: .string($0.value)]) } ?? .null }
}

extension DeepLinkOutcome {
    var playedWord: String {
        switch self {
        case .route: "route"
        case .outside: "outside"
        case .refused(let refusal): "refused-\(refusal.rawValue)"
        }
    }

    var playedText: String {
        switch self {
        case .route(let route): "it leads to \(route.playedText)"
        case .outside: "no rule of the app knows it"
        case .refused(let refusal): "it is refused: \(refusal.rawValue)"
        }
    }
}

extension OpenEventOutcome {
    /// A word, and what is wrong.
    var playedWords: (String, String?) {
        switch self {
        case .queued: ("queued", nil)
        case .repeated: ("repeated", nil)
        case .failed(let detail): ("failed", detail)
        case .late: ("late", nil)
        }
    }
}

/// What an app has done by itself since the last result.
struct PersonalizationNews {
    private var shown: [JSONValue] = []
    private var texts: [String] = []
    private var dropped: [String] = []

    mutating func add(_ report: QueueReport) {
        if case .dropped(let events) = report { dropped += events.map(\.kind) }
    }

    /// A push's landing points were fetched.
    mutating func add(_ requestID: String, _ result: Result<FetchedDecisions, any Error>) {
        var members: [String: JSONValue] = ["request-id": .string(requestID)]
        switch result {
        case .success(let fetched):
            for member in fetched.playedMembers { members[member.key] = member.value }
            texts.append("the push shows \(fetched.playedText)")
        case .failure(let error):
            let error = error as? DecisionError
            members["error"] = .string(error?.code.rawValue ?? "unknown")
            members["detail"] = .string(error?.detail ?? "the fetch failed")
            texts.append("the push shows nothing: \(error?.code.rawValue ?? "unknown")")
        }
        shown.append(.object(members))
    }

    mutating func forgetShown() { (shown, texts) = ([], []) }

    mutating func take(withShown: Bool) -> [(key: String, value: JSONValue, text: String)] {
        var news: [(key: String, value: JSONValue, text: String)] = []
        if withShown, !shown.isEmpty {
            news.append(("shown", .array(shown), texts.joined(separator: "; ")))
            forgetShown()
        }
        if !dropped.isEmpty {
            defer { dropped = [] }
            news.append(
                ("dropped", .array(dropped.map { .string($0) }), "dropped: \(dropped.joined(separator: ", "))"))
        }
        return news
    }
}
