import APNSModel
import PayloadJSON

extension Rule {
    public static let misspeltKey = Rule(
        id: "misspelt-key", severity: .warning, layer: .device, looksAt: InspectedNotification.unknownMemberFacts,
        summary: "No key in `aps`, `alert` or `sound` is a slip away from one that the device knows.",
        rationale: """
            The device ignores a key that it does not know. One that is nearly a key of Apple's, where that key itself is \
            missing, is most likely meant to be it.
            """,
        source: RuleSource.generatingPayloads,
        passes: [
            Example(#"{"aps":{"alert":"Hi","badge":1},"bagde":1}"#, .alert), Example(#"{"app":{"name":"a"}}"#),
            Example(#"{"aps":{"alert":"Hi","alerts":"Hi"}}"#),
        ],
        fails: [
            Example(#"{"aps":{"alrt":"Hi"}}"#, .alert), Example(#"{"aps":{"alert":"Hi","bagde":1}}"#),
            Example(#"{"aps":{"content-avaliable":1}}"#, .background, priority: 5),
            Example(#"{"aps":{"alert":"Hi","mutable-contents":1}}"#),
            Example(#"{"aps":{"alert":{"titel":"Hi"}}}"#), Example(#"{"aps":{"alert":{"loc-keys":"B"}}}"#),
            Example(#"{"aps":{"alert":"Hi","sound":{"critical":1,"volum":1}}}"#),
            Example(#"{"asp":{"alert":"Hi"}}"#, .alert),
        ]
    ) { notification, findings in
        for member in notification.unknownMembers() {
            guard case .misspelt(let meant) = member.guess else { continue }
            findings.report(
                "\(member.name) is no key of \(member.container.inWords) and is ignored by the device; did you mean "
                    + "\(meant.name)?", at: notification.place(ofKeyOf: member.value))
        }
    }
}
