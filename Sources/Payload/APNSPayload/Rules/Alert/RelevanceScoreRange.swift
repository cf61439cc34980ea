import APNSModel
import PayloadJSON

extension Rule {
    public static let relevanceScoreRange = Rule(
        id: "relevance-score-range", severity: .warning, layer: .device, looksAt: [.relevanceScore], reads: [],
        summary: "A `relevance-score` is from 0 to 1.",
        rationale: """
            The device sorts the notifications of a summary by it. The effect of a number outside of this range is not \
            documented. A Live Activity can have any number.
            """,
        source: RuleSource.generatingPayloads,
        passes: [
            Example(#"{"aps":{"alert":"Hi","relevance-score":0.8}}"#, .alert),
            Example(#"{"aps":{"alert":"Hi","relevance-score":1}}"#),
            Example(
                #"{"aps":{"timestamp":1767225600,"event":"update","content-state":{},"relevance-score":75}}"#,
                .liveactivity),
        ],
        fails: [
            Example(#"{"aps":{"alert":"Hi","relevance-score":75}}"#, .alert),
            Example(#"{"aps":{"alert":"Hi","relevance-score":-1}}"#),
            Example(#"{"aps":{"alert":"Hi","relevance-score":1e400}}"#),
        ]
    ) { notification, findings in
        guard let score = notification[.relevanceScore], notification.isNumber(score, outside: 0...1),
            notification.consumer == .notifications
        else { return }
        findings.report(
            "relevance-score is \(notification.shown(score)); it must be from 0 to 1",
            at: notification.place(ofValue: score))
    }
}
