import APNSModel
import PayloadJSON

extension Rule {
    public static let apsMissing = Rule(
        id: "aps-missing", severity: .error, layer: .device, looksAt: KeySet([.aps], .noAPS), pushTypes: .alert,
        reads: [],
        summary: "An alert push has `aps`.",
        rationale: """
            The alert, badge and sound are in `aps`. APNs accepts an alert push without it, and the device drops or \
            ignores the push. Some other push types need no `aps`, and a Wallet pass update is just `{}`.
            """,
        source: RuleSource.generatingPayloads,
        passes: [
            Example(#"{"aps":{"alert":"Hi"}}"#, .alert), Example("{}"), Example("{}", .voip),
            Example("{}", .alert, topic: "pass.com.example.ticket"),
        ],
        fails: [
            Example("{}", .alert), Example(#"{"aps":null}"#, .alert),
            Example(#"{"notification":{"title":"Hi"}}"#, .alert, topic: "com.example.agent"),
        ]
    ) { notification, findings in
        guard notification[.aps] == nil, !notification.has(.rootOfOtherKind), !notification.isForPass else { return }
        findings.report(
            "the payload has no aps, so the device ignores this alert push; put alert, badge or sound into aps",
            at: notification.place(ofMissingIn: notification.written(.aps) ?? .root), missing: "aps")
    }
}
