import APNSModel
import PayloadJSON

extension Rule {
    public static let misplacedKey = Rule(
        id: "misplaced-key", severity: .warning, layer: .device,
        looksAt: KeySet([.alertSound], [.unknownInAPS, .unknownInAlert, .suspiciousInRoot]),
        summary: "Every key of Apple's is in the object in which the device looks for it.",
        rationale: """
            `title` and `body` belong in `alert`, `badge` and `category` beside it, and all of them in `aps`. \
            Elsewhere the device ignores them. A key beside `aps` is the app's own, so there only names that an app \
            would not use are reported, among them `alert`, `badge` and `sound`, also where `aps` has them too.
            """,
        source: RuleSource.generatingPayloads,
        passes: [
            Example(#"{"aps":{"alert":{"title":"Hi"},"badge":1},"title":"own","badges":1}"#, .alert),
            Example(#"{"aps":{"alert":"Hi","thread-id":"a"},"thread-id":"a"}"#),
            Example(#"{"alert":"own","badge":1}"#, .voip), Example(#"{"aps":{"alert":"own"},"alert":"own"}"#, .voip),
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
            Example(#"{"aps":{"content-available":1},"alert":"Hi"}"#),
            Example(#"{"aps":{"alert":"Hi"},"badge":3}"#, .alert),
            Example(#"{"aps":{"alert":"Hi"},"sound":"default"}"#),
            Example(#"{"aps":{"alert":"Hi"},"alert":{"title":"Hi"}}"#),
            Example(#"{"aps":{"alert":"Hi","badge":1},"badge":1}"#, .alert),
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
            guard notification[key] != nil else {
                notification.reportMisplaced(key, at: value, in: "the root", &findings)
                continue
            }
            findings.report(
                "\(key.name) is repeated in the root, where it has no effect; remove it there, or rename it if it is the "
                    + "app's own", at: notification.place(ofKeyOf: value))
        }
    }
}

extension InspectedNotification {
    fileprivate func reportMisplaced(
        _ key: KnownKey, at value: JSONIndex, in object: String, _ findings: inout Findings
    ) {
        findings.report(
            "\(key.name) is in \(object), where the device ignores it; move it into \(key.row.container.inWords)",
            at: place(ofKeyOf: value))
    }

    /// Keys of `aps` and `alert` that are in the root, and not in their own object; `alert`, `badge` and `sound` also if
    /// they are in both.
    func misplacedInRoot() -> [(KnownKey, JSONIndex)] {
        guard consumer != .app else { return [] }
        let mayShow = isAppNotification || consumer == .liveActivity
        var found: [(KnownKey, JSONIndex)] = []
        for member in document.members(of: .root) {
            guard let id = document.find(member.key, in: InspectedNotification.namesMisplacedInRoot),
                let key = KnownKey(rawValue: id),
                InspectedNotification.visibleKeys.contains(key) ? mayShow : written(key) == nil
            else { continue }
            found.append((key, member.value))
        }
        return found
    }

    /// What a notification consists of for the user.
    private static let visibleKeys: KeySet = [.alert, .badge, .sound]

    private static let namesMisplacedInRoot = JSONKeyTable(
        Rule.rowsMisplacedInRoot.map { ($0.name, $0.key.rawValue) })
}

extension Rule {
    static let namesMisplacedInRoot = rowsMisplacedInRoot.map(\.name)

    /// Names that an app would not use for its own keys. Another rule checks `content-available`.
    fileprivate static let rowsMisplacedInRoot =
        (PayloadKey.all(in: .aps) + PayloadKey.all(in: .alert)).filter { row in
            row.name.contains("-") && row.key != .contentAvailable || [.alert, .badge, .sound].contains(row.key)
        }
}
