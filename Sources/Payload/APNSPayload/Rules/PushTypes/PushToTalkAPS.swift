import APNSModel
import PayloadJSON

extension Rule {
    public static let pushToTalkAPS = Rule(
        id: "pushtotalk-aps", severity: .note, layer: .style, pushTypes: [.pushtotalk, .absent], reads: [],
        summary: "A Push to Talk payload has `aps`, which may be empty.",
        rationale: """
            Apple's example has an empty `aps` and the app's keys beside it. It is not documented whether a push \
            without `aps` is delivered.
            """,
        source: RuleSource.pushToTalk,
        passes: [Example(#"{"aps":{},"speaker":"dispatch-7"}"#, .pushtotalk), Example("{}")],
        fails: [
            Example(#"{"speaker":"dispatch-7"}"#, .pushtotalk),
            Example(#"{"speaker":"dispatch-7"}"#, topic: "com.example.agent.voip-ptt"),
        ]
    ) { notification, findings in
        guard notification.has(.noAPS), notification.impliedPushType == .pushtotalk else { return }
        findings.report(
            "the payload has no aps; Apple's example of a Push to Talk payload has an empty one",
            at: notification.place(ofMissingIn: .root), missing: "aps")
    }
}
