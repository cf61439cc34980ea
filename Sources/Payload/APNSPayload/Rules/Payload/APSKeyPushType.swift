import APNSModel
import PayloadJSON

extension Rule {
    public static let apsKeyPushType = Rule(
        id: "aps-key-push-type", severity: .warning, layer: .device, looksAt: keysOfFewTypes, reads: [],
        summary: "`aps` contains no keys of another push type.",
        rationale: """
            The keys of Live Activities have a meaning in a liveactivity push only, `content-changed` in controls and \
            widgets pushes, and `url-args` in a website push for Safari, whose topic begins with `web.`. In other \
            pushes the device ignores them.
            """,
        source: RuleSource.generatingPayloads,
        passes: [
            Example(#"{"aps":{"timestamp":1767225600,"event":"update","content-state":{}}}"#, .liveactivity),
            Example(#"{"aps":{"timestamp":1767225600,"event":"update","content-state":{}}}"#),
            Example(#"{"aps":{"content-changed":true}}"#, .controls),
            Example(#"{"aps":{"alert":{"title":"Hi","body":"You"},"url-args":[]}}"#, .alert, topic: "web.com.example"),
            Example(#"{"aps":{"alert":{"title":"Hi","body":"You"},"url-args":[]}}"#, .alert),
            Example(#"{"aps":{"event":"call"}}"#, .voip),
        ],
        fails: [
            Example(#"{"aps":{"timestamp":1767225600,"event":"update","content-state":{}}}"#, .alert),
            Example(#"{"aps":{"alert":"Hi","stale-date":1767225600}}"#, .alert),
            Example(#"{"aps":{"content-available":1,"content-changed":true}}"#, .background, priority: 5),
            Example(#"{"aps":{"alert":"Hi","url-args":["a"]}}"#, .alert, topic: "com.example.agent"),
        ]
    ) { notification, findings in
        guard let pushType = notification.impliedPushType, notification.consumer != .app else { return }
        let type = PushTypes(of: pushType)
        let foreign = notification.keys.common(with: keysOfFewTypes).filter { key in
            guard notification[key] != nil else { return false }
            if key == .urlArgs { return notification.envelope.topic != nil && !notification.isForWebsite }
            return key.row.pushTypes.isDisjoint(with: type)
        }
        guard let first = foreign.first.flatMap({ notification[$0] }) else { return }
        findings.report(
            "aps has \(foreign.map(\.name).listed()), which the device ignores in a push of type \(pushType)",
            at: notification.place(ofKeyOf: first))
    }

    private static let keysOfFewTypes = KeySet(
        of: PayloadKey.all(in: .aps).filter { row in
            row.pushTypes == .liveactivity || row.key == .contentChanged || row.key == .urlArgs
        })
}
