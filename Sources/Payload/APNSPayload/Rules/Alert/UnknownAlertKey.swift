import APNSModel
import PayloadJSON

extension Rule {
    public static let unknownAlertKey = Rule(
        id: "unknown-alert-key", severity: .warning, layer: .device, looksAt: .unknownInAlert,
        summary: "`alert` has Apple's keys only.",
        rationale: """
            The device shows what stands under the keys that it knows, and ignores the others. The app's own keys stand \
            beside `aps`. Keys that look like a slip have rules of their own.
            """,
        source: RuleSource.generatingPayloads,
        passes: [
            Example(#"{"aps":{"alert":{"title":"Hi"}},"message":"Hi"}"#, .alert),
            Example(#"{"aps":{"alert":{"message":"Hi"}}}"#, .voip),
        ],
        fails: [
            Example(#"{"aps":{"alert":{"title":"Hi","message":"You"}}}"#, .alert),
            Example(#"{"aps":{"alert":{"body":"Hi","image":"https://example.com/a.png"}}}"#),
            Example(
                #"{"aps":{"timestamp":1767225600,"event":"update","content-state":{},"#
                    + #""alert":{"title":{"loc-key":"T","table":"A"},"body":"Hi"}}}"#, .liveactivity),
        ]
    ) { notification, findings in
        notification.reportUnknown(in: [.alert, .titleText, .bodyText], "", &findings)
    }
}
