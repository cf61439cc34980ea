import APNSModel
import PayloadJSON

extension Rule {
    public static let alertShowsNothing = Rule(
        id: "alert-shows-nothing", severity: .error, layer: .device, looksAt: [.aps], pushTypes: .alert,
        reads: [.interruptionLevel],
        summary: "An alert push shows text, plays a sound, sets the badge or wakes the app.",
        rationale: """
            The user notices nothing of a push without text, sound and badge. Empty strings count as none, and so do a \
            `sound` object without a name that is not for a critical alert, and the sound of a passive notification, which is \
            not played. To wake the app in the background, send `content-available` 1 with push type background. Another rule \
            reports the same where the push type is unknown.
            """,
        source: RuleSource.generatingPayloads,
        passes: [
            Example(#"{"aps":{"alert":{"body":"Hi"}}}"#, .alert), Example(#"{"aps":{"badge":0}}"#, .alert),
            Example(#"{"aps":{"alert":{"loc-key":"VISIT_BODY"}}}"#, .alert),
            Example(#"{"aps":{"alert":"","badge":3}}"#, .alert), Example(#"{"aps":{}}"#, .location),
            Example(#"{"aps":{}}"#), Example(#"{"aps":{"alert":"","sound":"default"}}"#, .alert),
            Example(#"{"aps":{"sound":{"critical":1}}}"#, .alert),
            Example(#"{"aps":{"sound":"default","interruption-level":"active"}}"#, .alert),
            Example(#"{"aps":{"badge":3,"sound":"default","interruption-level":"passive"}}"#, .alert),
        ],
        fails: [
            Example(#"{"aps":{}}"#, .alert), Example(#"{"aps":{"alert":{}}}"#, .alert),
            Example(#"{"aps":{"alert":{"title":"","launch-image":"start"}}}"#, .alert),
            Example(#"{"aps":{"category":"VISIT"}}"#, .alert), Example(#"{"aps":{"alert":"","sound":""}}"#, .alert),
            Example(#"{"aps":{"sound":{}}}"#, .alert),
            Example(#"{"aps":{"sound":"default","interruption-level":"passive"}}"#, .alert),
        ]
    ) { notification, findings in
        guard notification.aps != nil, notification.isMute else { return }
        notification.reportMute(&findings)
    }
}

extension InspectedNotification {
    /// Whether this app notification has no text, sound and badge, and does not wake the app.
    var isMute: Bool {
        self[.badge] == nil && !contentAvailable.isSet && (self[.alert].map { isEmptyAlert($0) } ?? true)
            && (isPassive || self[.sound].map { namesNoSound($0) } ?? true) && consumer == .notifications
            && !isForWebsite
    }

    /// Whether it is listed without a sound.
    private var isPassive: Bool { isText(.interruptionLevel, "passive") }

    /// Whether a sound names nothing to play. For an object of a critical alert, another rule reports that.
    private func namesNoSound(_ sound: JSONIndex) -> Bool {
        guard document.isObject(sound) else { return isEmptyText(sound) }
        return !has(InspectedNotification.keysOfCritical) && (self[.soundName].map { isEmptyText($0) } ?? true)
    }

    private static let keysOfCritical: KeySet = [.soundCritical, .soundVolume]

    /// Reports that there is nothing to show, at the alert or sound that is empty or where there is none.
    func reportMute(_ findings: inout Findings) {
        if let alert = self[.alert] {
            findings.report(
                "alert has no text, so the device shows nothing; give it a title, a body or a loc-key",
                at: place(ofKeyOf: alert))
        } else if let sound = self[.sound], !namesNoSound(sound) {
            findings.report(
                "a passive notification plays no sound, so the device shows and plays nothing; add an alert or a badge, or "
                    + "another interruption-level", at: place(ofKeyOf: sound))
        } else if let sound = self[.sound] {
            findings.report(
                "sound names no sound, so the device shows and plays nothing; name one, or add an alert or a badge",
                at: place(ofKeyOf: sound))
        } else if let aps {
            findings.report(
                "aps has no alert, badge or sound, so the device shows nothing; give it one of them",
                at: place(ofMissingIn: aps), missing: "alert")
        }
    }
}
