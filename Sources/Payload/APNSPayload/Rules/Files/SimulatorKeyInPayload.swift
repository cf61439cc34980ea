import APNSModel
import PayloadJSON

extension Rule {
    public static let simulatorKeyInPayload = Rule(
        id: "simulator-key-in-payload", severity: .note, layer: .style, looksAt: [.simulatorTargetBundle],
        summary: "A payload for APNs does not contain `Simulator Target Bundle`.",
        rationale: """
            This key is for files that go to a simulator. APNs delivers it to the app as one of the app's own keys.
            """,
        source: RuleSource.simulator,
        passes: [
            Example(file: #"{"Simulator Target Bundle":"com.example.agent","aps":{}}"#, named: "push.apns"),
            Example(#"{"aps":{}}"#, .alert),
        ],
        fails: [Example(#"{"Simulator Target Bundle":"com.example.agent","aps":{}}"#, .alert)]
    ) { notification, findings in
        guard let target = notification.written(.simulatorTargetBundle) else { return }
        findings.report(
            "\(EnvelopeReader.simulatorKey) is for simulator files only; remove it from the payload",
            at: notification.place(ofKeyOf: target))
    }
}
