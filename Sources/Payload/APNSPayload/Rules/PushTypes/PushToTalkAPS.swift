import APNSModel
import PayloadJSON

extension Rule {
    public static let pushToTalkAPS = Rule(
        id: "pushtotalk-aps", severity: .note, layer: .style, pushTypes: [.pushtotalk, .absent], reads: [],
        summary: "A PushToTalk payload has an `aps`, if only an empty one.",
        rationale: """
            Apple shows the payload with an empty `aps` and the app's keys beside it. Whether a push without it arrives is \
            not documented.
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
            "the payload has no aps; Apple shows a PushToTalk payload with an empty one",
            at: notification.place(ofMissingIn: .root))
    }
}
