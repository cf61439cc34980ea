import APNSModel
import PayloadJSON

extension Rule {
    public static let misplacedKey = Rule(
        id: "misplaced-key", severity: .warning, layer: .device,
        looksAt: KeySet([.alertSound], [.unknownInAPS, .unknownInAlert, .suspiciousInRoot]),
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
        if let sound = notification[.alertSound], notification.consumer == .notifications {
            notification.reportMisplaced(.sound, at: sound, in: "alert", &findings)
        }
        guard notification.has(.suspiciousInRoot) else { return }
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
        guard consumer != .app else { return [] }
        let mayBeBare = written(.aps) == nil && isAppNotification
        var found: [(KnownKey, JSONIndex)] = []
        for member in document.members(of: .root) {
            guard let id = document.find(member.key, in: InspectedNotification.namesMisplacedInRoot),
                let key = KnownKey(rawValue: id), written(key) == nil,
                mayBeBare || ![.alert, .badge, .sound].contains(key)
            else { continue }
            found.append((key, member.value))
        }
        return found
    }

    private static let namesMisplacedInRoot = JSONKeyTable(
        Rule.rowsMisplacedInRoot.map { ($0.name, $0.key.rawValue) })
}

extension Rule {
    static let namesMisplacedInRoot = rowsMisplacedInRoot.map(\.name)

    /// The keys that no app would have of its own, and the three that it would not have without `aps`. That of
    /// `content-available` is the business of another rule.
    fileprivate static let rowsMisplacedInRoot =
        (PayloadKey.all(in: .aps) + PayloadKey.all(in: .alert)).filter { row in
            row.name.contains("-") && row.key != .contentAvailable || [.alert, .badge, .sound].contains(row.key)
        }
}
