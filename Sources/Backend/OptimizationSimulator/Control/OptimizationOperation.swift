import PushDispatch
import ServiceHost

/// The operations of the control API.
typealias OptimizationOperation = ControlOperation<OptimizationOperationID>

enum OptimizationOperationID: String, CommonOperationID, CaseIterable {
    case page, health, metrics, openAPI, state, profiles, profile, events, experiences, audiences,
        faults, addFault, removeFaults, removeFault, clock, setClock, advanceClock, reset
}

extension ControlOperation<OptimizationOperationID> {
    static var all: [OptimizationOperation] { OptimizationOperationList.all }

    /// The operations of a path.
    static func find(_ path: String) -> [OptimizationOperation] { all.filter { $0.matches(path) } }
}

private enum OptimizationOperationList {
    static let all = own + OptimizationOperation.settings(faultsOf: OptimizationPath.self)

    private static let own: [OptimizationOperation] = [
        .page,
        OptimizationOperation(
            method: "GET", path: "/health", id: .health,
            summary: "Whether it runs, the keys of its paths and its clock. Without the control token only the first.",
            answer: [
                "status": ControlSchema.string, "client-id": ControlSchema.string, "environment": ControlSchema.string,
                "space": ControlSchema.string, "access-token": ControlSchema.string, "clock": ControlSchema.object,
            ]),
        .metrics, .openAPI,
        OptimizationOperation(
            method: "GET", path: "/api/state", id: .state, summary: "Counts of everything, and of what was dropped.",
            answer: [
                "profiles": ControlSchema.integer, "events": ControlSchema.integer, "dropped": ControlSchema.object,
            ]),
        OptimizationOperation(
            method: "GET", path: "/api/profiles", id: .profiles, summary: "Profiles by id.",
            parameters: [.limit("How many")],
            answer: ["total": ControlSchema.integer, "profiles": ControlSchema.objects]),
        OptimizationOperation(
            method: "GET", path: "/api/profiles/{id}", id: .profile,
            summary: "One profile: audiences and why, experiences with the numbers that decide, events by name.",
            parameters: [.identifier("Its id, that of a profile that was merged into it, or its user id.")],
            answer: [
                "id": ControlSchema.string, "audiences": ["type": "array", "items": ControlSchema.string],
                "experiences": ControlSchema.objects,
            ]),
        OptimizationOperation(
            method: "GET", path: "/api/events", id: .events,
            summary: "Events as received, oldest first; with Accept: text/event-stream a stream of all that happens.",
            parameters: [
                .init(name: "queue", why: "profile or analytics; both when absent."),
                .init(name: "type", why: "Only those of this type, such as page or component."),
                .init(name: "profile", why: "Only those of this profile."),
                .limit("How many of the oldest"),
                .init(name: "newest", why: "How many of the newest, in place of limit.", isNumber: true),
                .init(name: "form", why: "long: each with its queue, profile and time of arrival."),
            ], answer: ["total": ControlSchema.integer, "events": ControlSchema.objects]),
        OptimizationOperation(
            method: "GET", path: "/api/experiences", id: .experiences,
            summary: "Experiences, with the profiles, views and clicks of each variant.",
            answer: ["experiences": ControlSchema.objects]),
        OptimizationOperation(
            method: "GET", path: "/api/audiences", id: .audiences,
            summary: "Audiences, with how many profiles each has.",
            answer: ["audiences": ControlSchema.objects]),
    ]
}
