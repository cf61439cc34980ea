import APNSModel
import PayloadJSON

extension Rule {
    public static let contentAvailableInRoot = Rule(
        id: "content-available-in-root", severity: .error, layer: .device, looksAt: .suspiciousInRoot,
        summary: "`content-available` is inside `aps`.",
        rationale: """
            Beside `aps` it counts as one of the app's own keys. The device does not read it and does not wake the \
            app.
            """,
        source: RuleSource.generatingPayloads,
        passes: [
            Example(#"{"aps":{"content-available":1}}"#), Example(#"{"content-available":1}"#, .voip),
            Example(#"{"aps":{"content-available":1},"content-available":1}"#),
        ],
        fails: [
            Example(#"{"aps":{},"content-available":1}"#),
            Example(#"{"content-available":1}"#, .background, priority: 5),
            Example(#"{"aps":{"alert":"Hi"},"content-available":1}"#, .alert),
        ]
    ) { notification, findings in
        guard notification.contentAvailable == .absent, notification.isAppNotification,
            let value = notification.document.member("content-available", of: .root)
        else { return }
        findings.report(
            "content-available is beside aps, where the device ignores it; move it into aps",
            at: notification.place(ofKeyOf: value))
    }
}
