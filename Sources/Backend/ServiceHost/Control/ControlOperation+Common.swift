import PushDispatch

/// The ids of the operations that each service has.
package protocol CommonOperationID: RawRepresentable<String>, Hashable, Sendable {
    static var page: Self { get }
    static var metrics: Self { get }
    static var openAPI: Self { get }
    static var faults: Self { get }
    static var addFault: Self { get }
    static var removeFaults: Self { get }
    static var removeFault: Self { get }
    static var clock: Self { get }
    static var setClock: Self { get }
    static var advanceClock: Self { get }
    static var reset: Self { get }
}

extension ControlOperation where ID: CommonOperationID {
    package static var page: ControlOperation {
        ControlOperation(method: "GET", path: "/", id: .page, summary: "The inspector page.", contentType: "text/html")
    }

    package static var metrics: ControlOperation {
        ControlOperation(
            method: "GET", path: "/metrics", id: .metrics, summary: "Counts, as Prometheus text.",
            contentType: "text/plain")
    }

    package static var openAPI: ControlOperation {
        ControlOperation(method: "GET", path: "/openapi.json", id: .openAPI, summary: "This document.")
    }

    /// What changes how the service behaves: fault rules, the clock, and a reset.
    ///
    /// - Parameter paths: The paths that fault rules tell apart.
    package static func settings<Path: FaultPath>(faultsOf paths: Path.Type) -> [ControlOperation] {
        [
            ControlOperation(
                method: "GET", path: "/api/faults", id: .faults, summary: "The fault rules in their order.",
                answer: ["faults": ControlSchema.objects]),
            ControlOperation(
                method: "POST", path: "/api/faults", id: .addFault, summary: "Adds a fault rule.",
                body: ControlSchema.fault(paths: paths.allCases.map(\.rawValue)), status: 201,
                answer: ["id": ControlSchema.string]),
            ControlOperation(
                method: "DELETE", path: "/api/faults", id: .removeFaults, summary: "Removes all fault rules.",
                status: 204, contentType: nil),
            ControlOperation(
                method: "DELETE", path: "/api/faults/{id}", id: .removeFault, summary: "Removes one fault rule.",
                parameters: [.identifier("Of the rule.")], status: 204, contentType: nil),
            ControlOperation(
                method: "GET", path: "/api/clock", id: .clock, summary: "The service's clock.",
                answer: ControlSchema.clock),
            ControlOperation(
                method: "PUT", path: "/api/clock", id: .setClock,
                summary: "Makes the clock real or manual, and sets it.",
                body: ControlSchema.object(ControlSchema.clock), answer: ControlSchema.clock),
            ControlOperation(
                method: "POST", path: "/api/clock/advance", id: .advanceClock, summary: "Moves the clock.",
                body: ControlSchema.object(["by": ControlSchema.string], required: ["by"]), answer: ControlSchema.clock),
            ControlOperation(
                method: "POST", path: "/api/reset", id: .reset, summary: "Everything back to the start.", status: 204,
                contentType: nil),
        ]
    }
}
