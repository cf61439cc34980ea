import PayloadJSON

extension Rule {
    public static let entryUpdateLocale = Rule(
        id: "entry-update-locale", severity: .warning, layer: .device, looksAt: .entryUpdate,
        summary: "The `locale` of an entry update is one locale.",
        rationale: """
            An app that shows another locale does nothing with the push. A locale has 1 to 64 letters, digits, `_`, `-` \
            and `.`; a push without one is about all locales.
            """,
        source: RuleSource.entryUpdateContract,
        passes: [
            Example(#"{"aps":{"content-available":1},"type":"ENTRY_UPDATE","entryId":"hero","locale":"en-US"}"#),
            Example(#"{"aps":{"content-available":1},"type":"ENTRY_UPDATE","entryId":"hero"}"#),
        ],
        fails: [
            Example(#"{"aps":{"content-available":1},"type":"ENTRY_UPDATE","entryId":"hero","locale":"*"}"#),
            Example(#"{"aps":{"content-available":1},"type":"ENTRY_UPDATE","entryId":"hero","locale":["en-US"]}"#),
        ]
    ) { notification, findings in
        guard notification.entryUpdateType != nil, let locale = notification.entryUpdate("locale"),
            notification.document.string(of: locale).map(EntryReference.isID) != true
        else { return }
        findings.report(
            "locale is \(notification.described(locale)); it must be one locale such as en-US, or be left out for all",
            at: notification.place(ofValue: locale))
    }
}
