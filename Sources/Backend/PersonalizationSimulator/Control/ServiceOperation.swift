import PushDispatch

/// One method of one path of the control API. The answers to unknown paths and methods and the OpenAPI document are made
/// from this list.
struct ServiceOperation: Sendable {
    enum ID: String, Sendable, CaseIterable {
        case page, health, metrics, openAPI, state, decisions, events, individuals, individual, experiments,
            diagnostics, faults, addFault, removeFaults, removeFault, clock, setClock, advanceClock, reset
    }

    struct Parameter: Sendable {
        let name: String
        let why: String
        var isNumber = false
        var isInPath = false
    }

    let method: String
    /// Such as `/api/individuals/{id}`.
    let path: String
    /// The operation id, which generated clients use as its name.
    let id: ID
    let summary: String
    var parameters: [Parameter] = []
    /// The schema of the body; nil for a request without one.
    var body: JSONValue?
    var status = 200
    var contentType: String? = "application/json"
    /// The members of the answer and their types.
    var answer: [String: JSONValue] = [:]

    private static func limit(_ why: String) -> Parameter {
        Parameter(name: "limit", why: why + "; 0 to 100000, 1000 when absent", isNumber: true)
    }

    private static let dataSpace = Parameter(
        name: "dataspace", why: "The data space; the first one when absent.")
    private static func identifier(_ why: String) -> Parameter { Parameter(name: "id", why: why, isInPath: true) }

    private static let integer: JSONValue = ["type": "integer"]
    private static let object: JSONValue = ["type": "object"]
    private static let string: JSONValue = ["type": "string"]
    private static let objects: JSONValue = ["type": "array", "items": ["type": "object"]]
    private static let clock: [String: JSONValue] = [
        "mode": ["type": "string", "enum": ["real", "manual"]], "now": ["type": "string", "format": "date-time"],
    ]
    private static func schema(_ properties: [String: JSONValue], required: [JSONValue] = []) -> JSONValue {
        [
            "type": "object", "properties": .object(properties), "required": .array(required),
            "additionalProperties": false,
        ]
    }

    static let all: [ServiceOperation] = [
        ServiceOperation(method: "GET", path: "/", id: .page, summary: "The inspector page.", contentType: "text/html"),
        ServiceOperation(
            method: "GET", path: "/health", id: .health, summary: "Whether it runs, its app source ids and its clock.",
            answer: ["status": string, "app-source-id": string, "dataspace": string, "clock": object]),
        ServiceOperation(
            method: "GET", path: "/metrics", id: .metrics, summary: "Counts, as Prometheus text.",
            contentType: "text/plain"),
        ServiceOperation(method: "GET", path: "/openapi.json", id: .openAPI, summary: "This document."),
        ServiceOperation(
            method: "GET", path: "/api/state", id: .state, summary: "Counts of everything, and of what was dropped.",
            answer: ["credits": integer, "decisions": integer, "events": integer, "dropped": object]),
        ServiceOperation(
            method: "GET", path: "/api/decisions", id: .decisions,
            summary: "Decisions, oldest first, with what became of them, and the credits.",
            parameters: [
                Parameter(name: "point", why: "Only those of the point with this name."),
                Parameter(name: "individual", why: "Only those of this person: id, device, user id or email."),
                limit("How many of the newest"),
            ], answer: ["total": integer, "credits": integer, "decisions": objects]),
        ServiceOperation(
            method: "GET", path: "/api/events", id: .events,
            summary: "Events as received, oldest first; with Accept: text/event-stream a stream of all that happens.",
            parameters: [
                Parameter(name: "type", why: "Only those with this eventType."),
                Parameter(name: "individual", why: "Only those of this person: id, device, user id or email."),
                Parameter(name: "personalization-id", why: "Only those about this decision."),
                limit("How many of the oldest"),
                Parameter(name: "newest", why: "How many of the newest, in place of limit.", isNumber: true),
            ], answer: ["total": integer, "events": objects]),
        ServiceOperation(
            method: "GET", path: "/api/individuals", id: .individuals, summary: "People and how they were joined.",
            parameters: [dataSpace, limit("How many")], answer: ["total": integer, "individuals": objects]),
        ServiceOperation(
            method: "GET", path: "/api/individuals/{id}", id: .individual, summary: "One person.",
            parameters: [
                identifier("An id, device, user id or email."),
                Parameter(name: "dataspace", why: "The data space; the first one that has the person when absent."),
            ], answer: ["id": string, "device-ids": ["type": "array", "items": string], "attributes": object]),
        ServiceOperation(
            method: "GET", path: "/api/experiments", id: .experiments, summary: "How many people each group has had.",
            answer: ["experiments": objects]),
        ServiceOperation(
            method: "GET", path: "/api/diagnostics", id: .diagnostics, summary: "Diagnostics that were in no reply.",
            parameters: [limit("How many of the newest")], answer: ["total": integer, "diagnostics": objects]),
        ServiceOperation(
            method: "GET", path: "/api/faults", id: .faults, summary: "The fault rules in their order.",
            answer: ["faults": objects]),
        ServiceOperation(
            method: "POST", path: "/api/faults", id: .addFault, summary: "Adds a fault rule.",
            body: schema(
                [
                    "match": schema(["path": ["type": "string", "enum": ["decisions", "events"]]]),
                    "effect": schema([
                        "status": ["type": "integer", "minimum": 400, "maximum": 599], "retry-after": string,
                        "delay": string, "lose-answer": ["const": true], "silence": ["const": true],
                    ]), "count": ["type": "integer", "minimum": 1, "maximum": 1_000_000_000],
                    "probability": ["type": "number", "minimum": 0, "maximum": 1],
                ], required: ["effect"]), status: 201, answer: ["id": string]),
        ServiceOperation(
            method: "DELETE", path: "/api/faults", id: .removeFaults, summary: "Removes all fault rules.", status: 204,
            contentType: nil),
        ServiceOperation(
            method: "DELETE", path: "/api/faults/{id}", id: .removeFault, summary: "Removes one fault rule.",
            parameters: [identifier("Of the rule.")], status: 204, contentType: nil),
        ServiceOperation(
            method: "GET", path: "/api/clock", id: .clock, summary: "The service's clock.", answer: clock),
        ServiceOperation(
            method: "PUT", path: "/api/clock", id: .setClock, summary: "Makes the clock real or manual, and sets it.",
            body: schema(clock), answer: clock),
        ServiceOperation(
            method: "POST", path: "/api/clock/advance", id: .advanceClock, summary: "Moves the clock.",
            body: schema(["by": string], required: ["by"]), answer: clock),
        ServiceOperation(
            method: "POST", path: "/api/reset", id: .reset, summary: "Everything back to the start.", status: 204,
            contentType: nil),
    ]

    /// The operations of a path.
    static func find(_ path: String) -> [ServiceOperation] { all.filter { $0.matches(path) } }

    /// What stands before the parameter of the path; nil for a path without one.
    private var prefix: Substring? { path.hasSuffix("{id}") ? path.dropLast("{id}".count) : nil }

    private func matches(_ asked: String) -> Bool {
        guard let prefix else { return path == asked }
        return asked.hasPrefix(prefix) && asked.utf8.count > prefix.utf8.count
    }

    /// The parameter of the path, percent-encoded; empty where there is none.
    func argument(in asked: String) -> String { prefix.map { String(asked.dropFirst($0.count)) } ?? "" }
}
