import APNSModel
import PayloadJSON

extension Rule {
    public static let misplacedKey = Rule(
        id: "misplaced-key", severity: .warning, layer: .device,
        looksAt: KeySet([.alertSound], [.unknownInAPS, .unknownInAlert, .customInRoot]),
        summary: "Every key of Apple's stands in the object that the device looks for it in.",
        rationale: """
            `title` and `body` belong into `alert`, `badge` and `category` beside it, and all of them into `aps`. \
            Elsewhere the device ignores them. Beside `aps` a key is the app's own, so there only those count that \
            nobody would call a key of his own, and `alert`, `badge` and `sound` where there is no `aps` at all.
            """,
        source: RuleSource.generatingPayloads,
        passes: [
            Example(#"{"aps":{"alert":{"title":"Hi"},"badge":1},"title":"own","badge":"own"}"#, .alert),
            Example(#"{"aps":{"content-available":1},"alert":"own"}"#, .background, priority: 5),
            Example(#"{"aps":{"alert":"Hi","thread-id":"a"},"thread-id":"a"}"#),
            Example(#"{"alert":"own","badge":1}"#, .voip),
            Example(
                #"{"aps":{"timestamp":1767225600,"event":"update","content-state":{},"#
                    + #""alert":{"title":"Hi","body":"You","sound":"chime.aiff"}}}"#, .liveactivity),
        ],
        fails: [
            Example(#"{"aps":{"title":"Hi"}}"#, .alert),
            Example(#"{"aps":{"alert":"Hi","loc-key":"B"}}"#), Example(#"{"aps":{"alert":"Hi","volume":1}}"#),
            Example(#"{"aps":{"alert":{"title":"Hi","badge":1}}}"#, .alert),
            Example(#"{"aps":{"alert":{"title":"Hi","sound":"default"}}}"#),
            Example(#"{"aps":{"alert":{"title":"Hi","thread-id":"a"}}}"#),
            Example(#"{"aps":{"alert":"Hi"},"mutable-content":1}"#, .alert),
            Example(#"{"aps":{"alert":"Hi"},"interruption-level":"passive"}"#),
            Example(#"{"aps":{"alert":{"body":"Hi"}},"title-loc-key":"T"}"#), Example(#"{"alert":"Hi"}"#, .alert),
        ]
    ) { notification, findings in
        for member in notification.unknownMembers() {
            guard case .misplaced(let key) = member.guess else { continue }
            notification.reportMisplaced(key, at: member.value, in: member.container.inWords, &findings)
        }
        if let sound = notification[.alertSound], notification.reader == .notifications {
            notification.reportMisplaced(.sound, at: sound, in: "alert", &findings)
        }
        guard notification.has(.customInRoot) else { return }
        for (key, value) in notification.misplacedInRoot() {
            notification.reportMisplaced(key, at: value, in: "the root", &findings)
        }
    }
}

extension InspectedNotification {
    fileprivate func reportMisplaced(
        _ key: KnownKey, at value: JSONIndex, in object: String, _ findings: inout Findings
    ) {
        findings.report(
            "\(key.name) stands in \(object), where the device ignores it; move it into \(key.row.container.inWords)",
            at: place(ofKeyOf: value))
    }

    /// Keys of `aps` and `alert` in the root that are missing where they belong.
    fileprivate func misplacedInRoot() -> [(KnownKey, JSONIndex)] {
        var found: [(KnownKey, JSONIndex)] = []
        let mayBeBare = written(.aps) == nil && isAppNotification && reader != .app
        for member in document.members(of: .root) {
            guard mayBeBare || document.hasHyphen(member.key), reader == .notifications || reader == .liveActivity,
                let name = document.string(of: member.key),
                let key = InspectedNotification.telling.first(where: { $0.name == name })?.key ?? bare(name, mayBeBare),
                written(key) == nil
            else { continue }
            found.append((key, member.value))
        }
        return found
    }

    private func bare(_ name: String, _ mayBeBare: Bool) -> KnownKey? {
        guard mayBeBare else { return nil }
        return [KnownKey.alert, .badge, .sound].first { $0.name == name }
    }

    /// The keys that no app would have of its own. That of `content-available` is the business of another rule.
    private static let telling = (KnownSpelling.all(in: .aps) + KnownSpelling.all(in: .alert)).filter {
        $0.name.contains("-") && $0.key != .contentAvailable
    }
}
