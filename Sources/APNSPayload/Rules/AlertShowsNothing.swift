import APNSModel
import PayloadJSON

extension Rule {
    public static let alertShowsNothing = Rule(
        id: "alert-shows-nothing", severity: .warning, layer: .device, looksAt: [.aps],
        pushTypes: [.alert, .absent],
        summary: "An alert push shows, plays or badges something.",
        rationale: """
            A push without text, sound and badge leaves no trace on the device. To wake the app unseen, send \
            `content-available` 1 with push type background.
            """,
        source: RuleSource.generatingPayloads,
        passes: [
            Example(#"{"aps":{"alert":{"body":"Hi"}}}"#, .alert), Example(#"{"aps":{"badge":0}}"#, .alert),
            Example(#"{"aps":{"alert":{"loc-key":"VISIT_BODY"}}}"#, .alert),
            Example(#"{"aps":{"alert":"","badge":3}}"#, .alert), Example(#"{"aps":{}}"#, .location),
            Example(#"{"aps":{}}"#),
        ],
        fails: [
            Example(#"{"aps":{}}"#, .alert), Example(#"{"aps":{"alert":{}}}"#, .alert),
            Example(#"{"aps":{"alert":{"title":"","launch-image":"start"}}}"#, .alert),
            Example(#"{"aps":{"category":"VISIT"}}"#, .alert), Example(#"{"aps":{"alert":""}}"#),
        ]
    ) { notification, findings in
        guard let aps = notification.aps, notification[.badge] == nil, notification[.sound] == nil,
            !notification.contentAvailable.isSet, notification.reader == .notifications, !notification.isForWebsite
        else { return }
        guard let alert = notification[.alert] else {
            guard notification.pushType == .alert else { return }
            findings.report(
                "aps has no alert, badge or sound, so the device shows nothing; give it one of them",
                at: notification.place(ofMissingIn: aps))
            return
        }
        guard notification.isEmptyAlert(alert) else { return }
        findings.report(
            "alert has no text, so the device shows nothing; give it a title, a body or a loc-key",
            at: notification.place(ofKeyOf: alert))
    }
}
