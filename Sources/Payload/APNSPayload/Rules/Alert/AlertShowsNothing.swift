import APNSModel
import PayloadJSON

extension Rule {
    public static let alertShowsNothing = Rule(
        id: "alert-shows-nothing", severity: .warning, layer: .device, looksAt: [.aps],
        pushTypes: [.alert, .liveactivity, .absent], reads: [],
        summary: "An alert push shows text, plays a sound or sets the badge, and an `alert` has text.",
        rationale: """
            The user notices nothing of a push without text, sound and badge. To wake the app in the background, send \
            `content-available` 1 with push type background.
            """,
        source: RuleSource.generatingPayloads,
        passes: [
            Example(#"{"aps":{"alert":{"body":"Hi"}}}"#, .alert), Example(#"{"aps":{"badge":0}}"#, .alert),
            Example(#"{"aps":{"alert":{"loc-key":"VISIT_BODY"}}}"#, .alert),
            Example(#"{"aps":{"alert":"","badge":3}}"#, .alert), Example(#"{"aps":{}}"#, .location),
            Example(#"{"aps":{}}"#),
            Example(
                #"{"aps":{"timestamp":1767225600,"event":"update","content-state":{},"#
                    + #""alert":{"title":{"loc-key":"T"}}}}"#, .liveactivity),
        ],
        fails: [
            Example(#"{"aps":{}}"#, .alert), Example(#"{"aps":{"alert":{}}}"#, .alert),
            Example(#"{"aps":{"alert":{"title":"","launch-image":"start"}}}"#, .alert),
            Example(#"{"aps":{"category":"VISIT"}}"#, .alert), Example(#"{"aps":{"alert":""}}"#),
            Example(
                #"{"aps":{"timestamp":1767225600,"event":"update","content-state":{},"alert":{"sound":"chime.aiff"}}}"#,
                .liveactivity),
        ]
    ) { notification, findings in
        if let alert = notification[.alert] {
            guard notification.isEmptyAlert(alert), notification.consumer == .liveActivity || notification.isMute else {
                return
            }
            findings.report(
                "alert has no text, so the device shows nothing; give it a title, a body or a loc-key",
                at: notification.place(ofKeyOf: alert))
        } else if let aps = notification.aps, notification.pushType == .alert, notification.isMute {
            findings.report(
                "aps has no alert, badge or sound, so the device shows nothing; give it one of them",
                at: notification.place(ofMissingIn: aps))
        }
    }
}

extension InspectedNotification {
    /// Whether this app notification has no sound and no badge and does not wake the app.
    fileprivate var isMute: Bool {
        self[.badge] == nil && self[.sound] == nil && !contentAvailable.isSet && consumer == .notifications
            && !isForWebsite
    }
}
