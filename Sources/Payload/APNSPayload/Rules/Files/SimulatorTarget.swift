import APNSModel

extension Rule {
    public static let simulatorTarget = Rule(
        id: "simulator-target", severity: .error, layer: .device, stage: .headers,
        summary: "The `Simulator Target Bundle` of a simulator file is the bundle id of the app, as a string.",
        rationale: "The simulator uses it to find the app. A topic with a suffix is not a bundle id.",
        source: RuleSource.simulator,
        passes: [Example(file: #"{"Simulator Target Bundle":"com.example.agent","aps":{}}"#, named: "push.apns")],
        fails: [
            Example(file: #"{"Simulator Target Bundle":["com.example.agent"],"aps":{}}"#, named: "push.apns"),
            Example(file: #"{"Simulator Target Bundle":null,"aps":{}}"#, named: "push.apns"),
            Example(
                file: #"{"Simulator Target Bundle":"com.example.agent.push-type.widgets","aps":{}}"#, named: "push.apns"
            ),
        ]
    ) { notification, findings in
        guard notification.envelope.kind == .apns else { return }
        let key = EnvelopeReader.simulatorKey
        for problem in notification.envelope.problems {
            guard case .wrongKind(let kind) = problem.kind else { continue }
            findings.report("\(key) is \(kind); it must be a bundle id, as a string", at: .header("apns-topic"))
        }
        // A bundle id can itself end with one of the short suffixes, so only suffixes that no bundle id has are
        // reported.
        guard notification.envelope.problems.allSatisfy({ $0.kind == .repeatedKey }),
            let topic = notification.envelope.topic, let suffix = notification.topicSuffix,
            suffix.begins(with: ".push-type.") || suffix.begins(with: ".pushkit.")
        else { return }
        findings.report(
            "\(key) is \(notification.shown(text: topic)); it must be the bundle id, without \(suffix)",
            at: .header("apns-topic"))
    }
}
