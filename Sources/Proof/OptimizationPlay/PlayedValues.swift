import AppPlay
import EventDelivery
import Optimization
import PushDispatch

// How results show what the library answers.

extension EntryResolution {
    /// As the command `resolve` shows it.
    var playedOutcome: PlayOutcome {
        let shown = isEmptyVariant ? "nothing" : isVariant ? entry.id ?? "" : "the baseline"
        return PlayOutcome(
            "it shows \(shown): \(reason)",
            [
                ("entry", entry.json), ("selection", selection?.json ?? .null),
                ("empty-variant", .bool(isEmptyVariant)), ("why", .string(reason.description)),
            ])
    }
}

extension OptimizationClient {
    /// Section 9.3 of docs/reference/personalization.md.
    var playedMembers: [(key: String, value: JSONValue)] {
        [
            ("state", state.json), ("isInitialized", .bool(isInitialized)),
            ("selectedPersonalizations", selectedPersonalizations.map { .array($0.map(\.json)) } ?? .null),
            ("isPreviewPanelOpen", .bool(isPreviewPanelOpen)),
        ]
    }
}

extension DeliveryError.Kind {
    var playedWord: String {
        switch self {
        case .configuration: "configuration"
        case .notFound: "notFound"
        case .accessTokenInvalid: "accessTokenInvalid"
        case .rateLimitExceeded: "rateLimitExceeded"
        case .service: "service"
        case .network: "network"
        case .replyInvalid: "replyInvalid"
        case .cancelled: "cancelled"
        }
    }
}

extension BlockedEvent {
    var playedValue: JSONValue {
        ["reason": .string(reason), "method": .string(method), "type": .string(type), "arguments": .object(arguments)]
    }
}

/// What an app has done by itself since the last result.
struct OptimizationNews {
    private var blocked: [BlockedEvent] = []
    private var dropped: [DroppedEvent] = []
    private var withoutProfile: [String] = []
    /// What was wrong with answers and stored values. Only a step that waits reports them, because otherwise an answer
    /// may or may not have come.
    private var problems: [String] = []
    /// The most entries of each kind; further ones are dropped.
    private static let maximum = 1_000

    mutating func add(_ event: BlockedEvent) {
        if blocked.count < OptimizationNews.maximum { blocked.append(event) }
    }

    mutating func add(_ report: OptimizationReport) {
        switch report {
        case .blocked: break
        case .droppedWithoutProfile(let method):
            if withoutProfile.count < OptimizationNews.maximum { withoutProfile.append(method) }
        case .queue(.dropped(let events)): dropped += events.prefix(OptimizationNews.maximum - dropped.count)
        case .queue: break
        case .profileReply(let status, let detail): add("the profile service answered \(status): \(detail)")
        case .leftOut(let issues): for issue in issues { add(issue.description) }
        case .notStored(let error): add(error.description)
        }
    }

    private mutating func add(_ problem: String) {
        if problems.count < OptimizationNews.maximum { problems.append(problem) }
    }

    mutating func forgetAnswers() { problems = [] }

    mutating func take(withAnswers: Bool) -> [(key: String, value: JSONValue, text: String)] {
        var news: [(key: String, value: JSONValue, text: String)] = []
        func tell(_ key: String, _ values: [JSONValue], _ texts: [String]) {
            if !values.isEmpty { news.append((key, .array(values), "\(key): \(texts.joined(separator: ", "))")) }
        }
        tell("blocked", blocked.map(\.playedValue), blocked.map(\.method))
        tell("dropped", dropped.map { .string($0.kind) }, dropped.map { "\($0.kind) (\($0.reason))" })
        tell("without-profile", withoutProfile.map { .string($0) }, withoutProfile)
        (blocked, dropped, withoutProfile) = ([], [], [])
        guard withAnswers else { return news }
        tell("problems", problems.map { .string($0) }, problems)
        problems = []
        return news
    }
}
