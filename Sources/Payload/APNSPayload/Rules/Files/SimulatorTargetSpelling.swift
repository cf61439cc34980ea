extension Rule {
    public static let simulatorTargetSpelling = Rule(
        id: "simulator-target-spelling", severity: .warning, layer: .device, stage: .headers,
        summary: "The key that names the app of a simulator file is exactly `Simulator Target Bundle`.",
        rationale: """
            With another spelling it is one of the app's own keys, and the file does not name its app. The key can be \
            left out if the bundle id is an argument of `simctl push`. A file that is dropped on a simulator needs it.
            """,
        source: RuleSource.simulator,
        passes: [
            Example(file: #"{"Simulator Target Bundle":"com.example.agent","aps":{}}"#, named: "push.apns"),
            Example(file: #"{"aps":{}}"#, named: "push.apns"),
        ],
        fails: [
            Example(file: #"{"simulator-target-bundle":"com.example.agent","aps":{}}"#, named: "push.apns"),
            Example(file: #"{"SimulatorTargetBundle":"com.example.agent","aps":{}}"#, named: "push.apns"),
        ]
    ) { notification, findings in
        guard notification.envelope.kind == .apns else { return }
        let misspelt = notification.envelope.problems.filter { $0.kind == .misspeltTarget }
        for problem in misspelt {
            findings.report(
                "\(notification.shown(text: problem.key)) does not name the app; the key is \(EnvelopeReader.simulatorKey)",
                at: .header(problem.key), correction: misspelt.count == 1 ? EnvelopeReader.simulatorKey : nil)
        }
    }
}
