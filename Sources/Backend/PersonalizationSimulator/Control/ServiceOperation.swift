import PushDispatch
import ServiceHost

/// The operations of the control API.
typealias ServiceOperation = ControlOperation<ServiceOperationID>

enum ServiceOperationID: String, CommonOperationID, CaseIterable {
    case page, health, metrics, openAPI, state, decisions, events, individuals, individual, experiments,
        diagnostics, faults, addFault, removeFaults, removeFault, clock, setClock, advanceClock, reset
}

extension ControlOperation<ServiceOperationID> {
    static var all: [ServiceOperation] { ServiceOperationList.all }

    /// The operations of a path.
    static func find(_ path: String) -> [ServiceOperation] { all.filter { $0.matches(path) } }
}

private enum ServiceOperationList {
    private static let dataSpace = ServiceOperation.Parameter(
        name: "dataspace", why: "The data space; the first one when absent.")

    static let all = own + ServiceOperation.settings(faultsOf: ServicePath.self)

    private static let own: [ServiceOperation] = [
        .page,
        ServiceOperation(
            method: "GET", path: "/health", id: .health,
            summary: "Whether it runs, its app source ids and its clock. Without the control token only the first.",
            answer: [
                "status": ControlSchema.string, "app-source-id": ControlSchema.string,
                "dataspace": ControlSchema.string, "clock": ControlSchema.object,
            ]),
        .metrics, .openAPI,
        ServiceOperation(
            method: "GET", path: "/api/state", id: .state, summary: "Counts of everything, and of what was dropped.",
            answer: [
                "credits": ControlSchema.integer, "decisions": ControlSchema.integer, "events": ControlSchema.integer,
                "dropped": ControlSchema.object,
            ]),
        ServiceOperation(
            method: "GET", path: "/api/decisions", id: .decisions,
            summary: "Decisions, oldest first, with what became of them, and the credits.",
            parameters: [
                .init(name: "point", why: "Only those of the point with this name."),
                .init(name: "individual", why: "Only those of this person: id, device, user id or email."),
                .limit("How many of the newest"),
            ],
            answer: [
                "total": ControlSchema.integer, "credits": ControlSchema.integer, "decisions": ControlSchema.objects,
            ]),
        ServiceOperation(
            method: "GET", path: "/api/events", id: .events,
            summary: "Events as received, oldest first; with Accept: text/event-stream a stream of all that happens.",
            parameters: [
                .init(name: "type", why: "Only those with this eventType."),
                .init(name: "individual", why: "Only those of this person: id, device, user id or email."),
                .init(name: "personalization-id", why: "Only those about this decision."),
                .limit("How many of the oldest"),
                .init(name: "newest", why: "How many of the newest, in place of limit.", isNumber: true),
            ], answer: ["total": ControlSchema.integer, "events": ControlSchema.objects]),
        ServiceOperation(
            method: "GET", path: "/api/individuals", id: .individuals, summary: "People and how they were joined.",
            parameters: [dataSpace, .limit("How many")],
            answer: ["total": ControlSchema.integer, "individuals": ControlSchema.objects]),
        ServiceOperation(
            method: "GET", path: "/api/individuals/{id}", id: .individual, summary: "One person.",
            parameters: [
                .identifier("An id, device, user id or email."),
                .init(name: "dataspace", why: "The data space; the first one that has the person when absent."),
            ],
            answer: [
                "id": ControlSchema.string, "device-ids": ["type": "array", "items": ControlSchema.string],
                "attributes": ControlSchema.object,
            ]),
        ServiceOperation(
            method: "GET", path: "/api/experiments", id: .experiments, summary: "How many people each group has had.",
            answer: ["experiments": ControlSchema.objects]),
        ServiceOperation(
            method: "GET", path: "/api/diagnostics", id: .diagnostics, summary: "Diagnostics that were in no reply.",
            parameters: [.limit("How many of the newest")],
            answer: ["total": ControlSchema.integer, "diagnostics": ControlSchema.objects]),
    ]
}
