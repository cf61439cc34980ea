extension ControlOperation {
    private static let noFault = Answer.problem(404, "There is no such rule, or it has expired.")

    static let ofFaults: [ControlOperation] = [
        ControlOperation(
            "GET", "/api/faults", "listFaults", "lists fault rules in the order in which they are tried",
            [.json(.named("FaultList"), "The active rules.")]
        ) { api, _, _ in api.faults() },
        ControlOperation(
            "POST", "/api/faults", "addFault", #"adds one: {"effect":{"delay":"40ms"}}"#, body: .faultRule,
            [.json(201, .named("Fault"), "The rule is active.")]
        ) { api, request, _ in try api.addFault(request) },
        ControlOperation("DELETE", "/api/faults", "removeFaults", "removes all", [.none("All rules are removed.")]) {
            api, _, _ in
            api.removeFaults()
        },
        ControlOperation(
            "GET", "/api/faults/{id}", "getFault", "one fault rule", [.json(.named("Fault"), "The rule."), noFault]
        ) { api, _, arguments in try api.fault(arguments[0]) },
        ControlOperation(
            "DELETE", "/api/faults/{id}", "removeFault", "removes one", [.none("The rule is removed."), noFault]
        ) { api, _, arguments in try api.removeFault(arguments[0]) },
    ]
}
