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
            Example(
                #"{"aps":{"contentAvailable":1}}"#, .background, priority: 5, fixed: #"{"aps":{"content-available":1}}"#
            ),
            Example(#"{"aps":{"alert":"Hi","thread_id":"a"}}"#, fixed: #"{"aps":{"alert":"Hi","thread-id":"a"}}"#),
            Example(#"{"aps":{"Alert":"Hi"}}"#, .alert, fixed: #"{"aps":{"alert":"Hi"}}"#),
            Example(
                #"{"aps":{"alert":{"title":"Hi","subTitle":"You"}}}"#,
                fixed: #"{"aps":{"alert":{"title":"Hi","subtitle":"You"}}}"#),
            Example(
                #"{"aps":{"alert":{"titleLocKey":"T"}}}"#, fixed: #"{"aps":{"alert":{"title-loc-key":"T"}}}"#),
            Example(
                #"{"aps":{"alert":"Hi","sound":{"critical":1,"Name":"a.caf"}}}"#,
                fixed: #"{"aps":{"alert":"Hi","sound":{"critical":1,"name":"a.caf"}}}"#),
            Example(#"{"APS":{"alert":"Hi"}}"#, .alert, fixed: #"{"aps":{"alert":"Hi"}}"#),
        ]
    ) { notification, findings in
        let members = notification.unknownMembers()
        for member in members {
            guard case .spelling(let meant) = member.guess else { continue }
            // Two spellings of one key would become the same key.
            let isOnlyOne = members.count { $0.isSpelling(of: meant) } == 1
            let key = notification.document.range(of: notification.document.key(of: member.value))
            // White space at an end of a key is visible only in quotes.
            let name = member.name.contains(where: \.isWhitespace) ? notification.shown(text: member.name) : member.name
            findings.report(
                "\(name) is ignored by the device; the key is \(meant.name)",
                at: notification.place(ofKeyOf: member.value),
                fix: isOnlyOne ? Fix("write \(meant.name)", [Fix.Edit(key, "\"\(meant.name)\"")]) : nil)
        }
    }
}

extension UnknownMember {
    fileprivate func isSpelling(of key: KnownKey) -> Bool {
        if case .spelling(let meant) = guess { meant == key } else { false }
    }
}
