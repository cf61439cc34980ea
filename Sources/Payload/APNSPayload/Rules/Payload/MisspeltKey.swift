import APNSModel
import PayloadJSON

extension Rule {
    public static let misspeltKey = Rule(
        id: "misspelt-key", severity: .warning, layer: .device, looksAt: InspectedNotification.unknownMemberFacts,
        summary: "No key in `aps`, `alert` or `sound` looks like a typing error of a known key.",
        rationale: """
            The device ignores unknown keys. If a key is similar to one of Apple's keys, and that key is missing, it \
            is probably a typing error.
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
                "\(member.name) is not a key of \(member.container.inWords), so the device ignores it; did you mean "
                    + "\(meant.name)?", at: notification.place(ofKeyOf: member.value))
        }
    }
}
