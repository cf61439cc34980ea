extension Rule {
    public static let simulatorTargetAbsent = Rule(
        id: "simulator-target-absent", severity: .note, layer: .style, stage: .headers,
        summary: "A simulator file names its app with `Simulator Target Bundle`.",
        rationale: """
            Without the key the file cannot be dropped on the window of a simulator, and `simctl push` needs the bundle id as an \
            argument.
            """,
        source: RuleSource.simulator,
        passes: [
            Example(file: #"{"Simulator Target Bundle":"com.example.agent","aps":{}}"#, named: "push.apns"),
            Example(file: #"{"aps":{}}"#),
        ],
        fails: [
            Example(file: #"{"aps":{}}"#, named: "push.apns"),
            Example(file: #"{"simulator-target-bundle":"com.example.agent","aps":{}}"#, named: "push.apns"),
        ]
    ) { notification, findings in
        // By an option the app can be named for all files.
        guard notification.envelope.kind == .apns, notification.envelope.topic == nil else { return }
        for problem in notification.envelope.problems {
            guard case .noTarget(let meant) = problem.kind else { continue }
            findings.report(
                "there is no \(problem.key)"
                    + (meant.map { "; did you mean it by \(notification.shown(text: $0))?" }
                        ?? ", so name the app on the command line"),
                at: .header("apns-topic"))
        }
    }
}
