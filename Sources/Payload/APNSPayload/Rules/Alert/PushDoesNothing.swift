import APNSModel
import PayloadJSON

extension Rule {
    public static let pushDoesNothing = Rule(
        id: "push-does-nothing", severity: .warning, layer: .device,
        looksAt: KeySet([.aps], .noAPS), pushTypes: [.liveactivity, .absent], reads: [],
        summary: "A push of unknown push type shows, plays or wakes something.",
        rationale: """
            A push without text, sound, badge and `content-available` does nothing on a device, unless it has a push type \
            whose payload belongs to the app, such as voip, or the topic of a Wallet pass. So keys of the app beside an \
            empty or absent `aps` are not reported. Name the push type, and the payload is checked for it. In a Live \
            Activity push, an `alert` without text shows nothing.
            """,
        source: RuleSource.generatingPayloads,
        passes: [
            Example(#"{"aps":{"alert":"Hi"}}"#), Example(#"{"aps":{"content-available":1}}"#),
            Example(#"{"aps":{"sound":"default"}}"#), Example("{}", .voip), Example(#"{"call":"4711"}"#),
            Example(#"{"aps":{},"speaker":"Anna"}"#),
            Example("{}", topic: "pass.com.example.ticket"), Example(#"{"mdm":"7D0C4F1B"}"#),
            Example(#"{"container-identifier":"NSFileProviderRootContainerItemIdentifier"}"#),
            Example(#"{"aps":{"content-changed":true}}"#), Example("{}", topic: "com.example.agent.voip"),
            Example(
                #"{"aps":{"timestamp":1767225600,"event":"update","content-state":{},"#
                    + #""alert":{"title":{"loc-key":"T"}}}}"#, .liveactivity),
        ],
        fails: [
            Example("{}"), Example(#"{"aps":{}}"#), Example(#"{"aps":{"alert":"","sound":""}}"#),
            Example(#"{"aps":{"alert":{"title":""}}}"#),
            Example(#"{"aps":{"category":"VISIT"}}"#, topic: "com.example.agent"),
            Example(
                #"{"aps":{"timestamp":1767225600,"event":"update","content-state":{},"alert":{"sound":"chime.aiff"}}}"#,
                .liveactivity),
        ]
    ) { notification, findings in
        if notification.consumer == .liveActivity {
            guard let alert = notification[.alert], notification.isEmptyAlert(alert) else { return }
            return notification.reportMute(&findings)
        }
        guard notification.impliedPushType == nil, notification.isMute, !notification.isForPass,
            !notification.has(ownPurposes), !notification.hasUnreadableAPS,
            !notification.has(keysOfApp) || notification.has(keysOfAPS)
        else { return }
        guard notification.aps == nil else { return notification.reportMute(&findings) }
        findings.report(
            "the payload has no aps, so a device shows nothing and does not wake the app; add aps, or name the push type "
                + "if it needs none",
            at: notification.place(ofMissingIn: notification.written(.aps) ?? .root), missing: "aps")
    }

    /// Keys that give a push a purpose without anything to show.
    private static let ownPurposes: KeySet = [.mdm, .containerIdentifier, .contentChanged, .contentAvailable]
    private static let keysOfApp = KeySet([.type, .accountId, .recordIds, .accountName], .customInRoot)
    private static let keysOfAPS = KeySet(of: PayloadKey.all(in: .aps)).union(.unknownInAPS)
}
