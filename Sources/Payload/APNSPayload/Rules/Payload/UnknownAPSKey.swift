import APNSModel
import PayloadJSON

extension Rule {
    public static let unknownAPSKey = Rule(
        id: "unknown-aps-key", severity: .warning, layer: .device, looksAt: .unknownInAPS,
        summary: "`aps` contains Apple's keys only.",
        rationale: """
            Apple ignores other keys in `aps` and may give them a meaning later. The app's own keys belong beside \
            `aps`. Other rules report keys that look like typing errors.
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
        notification.reportUnknown(in: [.aps], "; the app's own keys belong beside aps", &findings)
    }
}
