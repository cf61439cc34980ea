import APNSModel
import PayloadJSON

extension Rule {
    public static let pushDoesNothing = Rule(
        id: "push-does-nothing", severity: .warning, layer: .device,
        looksAt: KeySet([.aps], .noAPS), pushTypes: [.liveactivity, .absent],
        reads: InspectedNotification.unknownMemberFacts.union(.suspiciousInRoot).union([.interruptionLevel]),
        summary: "A push of unknown push type shows, plays or wakes something.",
        rationale: """
            A push without text, sound, badge and `content-available` does nothing on a device, unless its push type leaves \
            the payload to the app, as voip does. So give the push type (in the envelope, by `--push-type` or in the \
            configuration). The suffix of a topic and keys of MDM, File Provider, widgets and Live Activities count as well.
            """,
        source: RuleSource.generatingPayloads,
        passes: [
            Example(#"{"aps":{"alert":"Hi"}}"#), Example(#"{"aps":{"content-available":1}}"#),
            Example(#"{"aps":{"sound":"default"}}"#), Example("{}", .voip), Example(#"{"call":"4711"}"#, .voip),
            Example(#"{"aps":{},"speaker":"Anna"}"#, .pushtotalk), Example(#"{"aps":{}}"#, .location),
            Example("{}", topic: "pass.com.example.ticket"), Example(#"{"mdm":"7D0C4F1B"}"#),
            Example(#"{"container-identifier":"NSFileProviderRootContainerItemIdentifier"}"#),
            Example(#"{"aps":{"content-changed":true}}"#),
            Example(#"{"call":"4711"}"#, topic: "com.example.agent.voip"),
            Example(#"{"aps":{},"speaker":"Anna"}"#, topic: "com.example.agent.voip-ptt"),
            Example(#"{"aps":{"timestamp":1767225600}}"#), Example(#"{"aps":{"sound":{"name":"chime.caf"}}}"#),
            Example(#"{"aps":{"alert":"Hi","sound":"default","interruption-level":"passive"}}"#),
            Example(
                #"{"aps":{"timestamp":1767225600,"event":"update","content-state":{},"#
                    + #""alert":{"title":{"loc-key":"T"}}}}"#, .liveactivity),
            // Other rules report why these do nothing.
            Example(#"{"notification":{"title":"Hi"}}"#), Example(#"{"alert":"Hi"}"#),
            Example(#"{"aps":{"alrt":"Hi"}}"#),
            Example(#"{"aps":{},"content-available":1}"#), Example(#"{"aps":{},"type":"PERSONALIZED"}"#),
        ],
        fails: [
            Example("{}"), Example(#"{"aps":{}}"#), Example(#"{"aps":{"alert":"","sound":""}}"#),
            Example(#"{"aps":{"alert":{"title":""}}}"#), Example(#"{"aps":{"sound":{}}}"#),
            Example(#"{"aps":{"sound":"default","interruption-level":"passive"}}"#),
            Example(#"{"title":"Hi","body":"You"}"#), Example(#"{"aps":{},"title":"Hi","body":"You"}"#),
            Example(#"{"data":{"aps":{"alert":"Hi"}}}"#), Example(#"{"APS":{"alert":"Hi"},"aps":{}}"#),
            Example(#"{"aps":{},"notification":{"title":"Hi"},"data":{}}"#),
            Example(#"{"aps":{},"type":"ACCOUNT_UPDATE","accountId":"001xx000003DGb2AAG"}"#),
            Example(#"{"aps":{"category":"VISIT"}}"#, topic: "com.example.agent"),
            Example(
                #"{"aps":{"timestamp":1767225600,"event":"update","content-state":{},"alert":{"sound":"chime.aiff"}}}"#,
                .liveactivity),
        ]
    ) { notification, findings in
        if let alert = notification[.alert], notification.isEmptyAlert(alert), notification.consumer == .liveActivity {
            return notification.reportMute(&findings)
        }
        guard notification.isMute, notification.impliedPushType == nil, !notification.isForPass,
            !notification.has(ownPurposes), !notification.hasUnreadableAPS, !notification.isReportedElsewhere
        else { return }
        if notification[.alert] != nil || notification[.sound] != nil { return notification.reportMute(&findings) }
        if let aps = notification.aps {
            findings.report(
                "aps has no alert, badge, sound or content-available, so the device shows nothing and does not wake the app; "
                    + "add one of them, or give the push type if this is a VoIP push or another that needs none",
                at: notification.place(ofMissingIn: aps), missing: "alert")
        } else if let (aps, name) = notification.nestedAPS {
            findings.report(
                "aps is in \(notification.shown(text: name)), where the device does not look for it; move it to the root of "
                    + "the payload", at: notification.place(ofKeyOf: aps))
        } else {
            findings.report(
                "the payload has no aps, so the device shows nothing and does not wake the app; add an aps, or give the push "
                    + "type if this is a VoIP push or another that needs none",
                at: notification.place(ofMissingIn: notification.written(.aps) ?? .root), missing: "aps")
        }
    }

    /// Keys that give a push a purpose without anything to show.
    private static let ownPurposes: KeySet = [
        .mdm, .containerIdentifier, .contentChanged, .contentAvailable, .timestamp, .event, .contentState, .staleDate,
        .dismissalDate, .attributesType, .attributes, .inputPushToken, .inputPushChannel,
    ]
}

extension InspectedNotification {
    /// Whether another rule reports why a push without purpose does nothing.
    fileprivate var isReportedElsewhere: Bool {
        if has(.noAPS), envelope.kind == .apns || serviceBody != nil { return true }
        if has(.personalized), aps != nil, self[.alert] == nil { return true }
        if has(.suspiciousInRoot), hasPurposeInRoot { return true }
        guard has(InspectedNotification.unknownMemberFacts) else { return false }
        return unknownMembers().contains { member in
            switch member.guess {
            case .spelling(let key), .misspelt(let key), .misplaced(let key):
                InspectedNotification.purposes.contains(key)
            case .nothing: false
            }
        }
    }

    /// Whether a key is in the root that would give the push a purpose in `aps`.
    private var hasPurposeInRoot: Bool {
        document.member("content-available", of: .root) != nil
            || misplacedInRoot().contains { InspectedNotification.purposes.contains($0.0) && self[$0.0] == nil }
    }

    /// The first `aps` that is in a member of the root, with the key of that member.
    fileprivate var nestedAPS: (aps: JSONIndex, name: String)? {
        for member in document.members(of: .root) {
            guard let aps = document.object("aps", of: member.value), let name = document.string(of: member.key) else {
                continue
            }
            return (aps, name)
        }
        return nil
    }

    /// Keys that give a push a purpose, also `aps` itself.
    private static let purposes: KeySet = [
        .aps, .alert, .badge, .sound, .contentAvailable, .contentChanged, .event, .contentState, .attributesType,
        .alertTitle, .alertSubtitle, .alertBody, .alertTitleLocKey, .alertSubtitleLocKey, .alertLocKey, .soundName,
    ]
}
