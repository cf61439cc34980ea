import PayloadJSON

extension Rule {
    public static let entryUpdateType = Rule(
        id: "entry-update-type", severity: .warning, layer: .device, looksAt: .otherType, reads: .customInRoot,
        summary: "The `type` of an entry update is spelt ENTRY_UPDATE, in capitals.",
        rationale: """
            The app compares `type` exactly and ignores a push with an unknown one, so a typing error looks like a \
            missing push.
            """,
        source: RuleSource.entryUpdateContract,
        passes: [
            Example(#"{"aps":{"content-available":1},"type":"ENTRY_UPDATE","entryId":"hero"}"#),
            Example(#"{"aps":{"content-available":1},"type":"ARTICLE","entryId":"hero"}"#),
            Example(#"{"aps":{"content-available":1},"type":"entry_update"}"#),
        ],
        fails: [
            Example(#"{"aps":{"content-available":1},"type":"entry_update","entryId":"hero"}"#),
            Example(#"{"aps":{"content-available":1},"type":"ENTRY-UPDATE","experienceId":"exp-1"}"#),
        ]
    ) { notification, findings in
        // Another app may use a similar type, so only a payload with one of the ids is certainly an entry update.
        guard let type = notification[.type], notification.entryUpdateType == nil,
            notification.document.isObject(.root),
            notification.entryUpdate("entryId") != nil || notification.entryUpdate("experienceId") != nil,
            let name = notification.document.string(of: type),
            name.uppercased().filter({ $0 != "_" && $0 != "-" && $0 != " " }) == "ENTRYUPDATE"
        else { return }
        findings.report(
            "type is \(notification.described(type)) beside the id of an entry; it must be \"ENTRY_UPDATE\"",
            at: notification.place(ofValue: type))
    }
}
