import APNSModel
import PayloadJSON

extension Rule {
    public static let keySpelling = Rule(
        id: "key-spelling", severity: .error, layer: .device, looksAt: InspectedNotification.unknownMemberFacts,
        summary: "Apple's keys are written in lower case with hyphens.",
        rationale: """
            The device compares keys exactly, so it does not know `contentAvailable` or `thread_id` and ignores them.
            """,
        source: RuleSource.generatingPayloads,
        passes: [
            Example(#"{"aps":{"alert":"Hi","thread-id":"a"},"threadId":"b"}"#, .alert), Example(#"{"APS":1}"#),
            Example(#"{"aps":{"alert":"Hi","thread-id":"a","threadId":"a"}}"#),
            Example(#"{"aps":{"contentAvailable":1}}"#, .voip),
        ],
        fails: [
            Example(#"{"aps":{"contentAvailable":1}}"#, .background, priority: 5),
            Example(#"{"aps":{"alert":"Hi","thread_id":"a"}}"#), Example(#"{"aps":{"Alert":"Hi"}}"#, .alert),
            Example(#"{"aps":{"alert":{"title":"Hi","subTitle":"You"}}}"#),
            Example(#"{"aps":{"alert":{"titleLocKey":"T"}}}"#),
            Example(#"{"aps":{"alert":"Hi","sound":{"critical":1,"Name":"a.caf"}}}"#),
            Example(#"{"APS":{"alert":"Hi"}}"#, .alert),
        ]
    ) { notification, findings in
        for member in notification.unknownMembers() {
            guard case .spelling(let meant) = member.guess else { continue }
            findings.report(
                "\(member.name) is ignored by the device; the key is \(meant.name)",
                at: notification.place(ofKeyOf: member.value))
        }
    }
}
