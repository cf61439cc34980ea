import APNSModel
import PayloadJSON

extension Rule {
    public static let unknownAPSKey = Rule(
        id: "unknown-aps-key", severity: .warning, layer: .device, looksAt: .unknownInAPS,
        summary: "`aps` has Apple's keys only.",
        rationale: """
            Apple ignores other keys in `aps` and may one day give them a meaning. The app's own keys stand beside `aps`. \
            Keys that look like a slip have rules of their own.
            """,
        source: RuleSource.generatingPayloads,
        passes: [
            Example(#"{"aps":{"alert":"Hi"},"order":"4711"}"#, .alert), Example(#"{"aps":{"order":"4711"}}"#, .voip),
            Example(#"{"aps":{"alrt":"Hi"}}"#), Example(#"{"aps":{"order":1}}"#, PushType(rawValue: "hologram")),
        ],
        fails: [
            Example(#"{"aps":{"alert":"Hi","order":"4711"}}"#, .alert),
            Example(#"{"aps":{"content-available":1,"data":{"order":"4711"}}}"#),
            Example(#"{"aps":{"alert":"Hi","":1}}"#),
        ]
    ) { notification, findings in
        notification.reportUnknown(in: [.aps], "; the app's own keys stand beside aps", &findings)
    }
}
