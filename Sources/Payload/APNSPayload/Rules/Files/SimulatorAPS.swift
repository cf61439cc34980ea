import PayloadJSON

extension Rule {
    public static let simulatorAPS = Rule(
        id: "simulator-aps", severity: .error, layer: .device, looksAt: KeySet([], [.noAPS, .rootOfOtherKind]),
        reads: [],
        summary: "A simulator file has `aps` in its root.",
        rationale: "`simctl push` refuses a file without it, even if APNs would accept the payload.",
        source: RuleSource.simulator,
        passes: [
            Example(file: #"{"Simulator Target Bundle":"com.example.agent","aps":{}}"#, named: "push.apns"),
            Example("{}"),
        ],
        fails: [
            Example(file: #"{"Simulator Target Bundle":"com.example.agent","alert":"Hi"}"#, named: "push.apns"),
            Example(file: #"{"payload":{"aps":{"alert":"Hi"}}}"#, named: "push.apns"),
        ]
    ) { notification, findings in
        guard notification.envelope.kind == .apns, notification.document.kind(of: .root) == .object,
            notification.document.member("aps", of: .root) == nil
        else { return }
        findings.report(
            "a simulator file needs aps; simctl push refuses a file without it",
            at: notification.place(ofMissingIn: .root), missing: "aps")
    }
}
