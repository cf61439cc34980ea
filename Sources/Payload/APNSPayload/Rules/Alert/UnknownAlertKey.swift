import APNSModel
import PayloadJSON

extension Rule {
    public static let unknownAlertKey = Rule(
        id: "unknown-alert-key", severity: .warning, layer: .device, looksAt: .unknownInAlert,
        summary: "`alert` contains Apple's keys only.",
        rationale: """
            The device ignores keys that it does not know. The app's own keys belong beside `aps`. Other rules report \
            keys that look like typing errors.
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
