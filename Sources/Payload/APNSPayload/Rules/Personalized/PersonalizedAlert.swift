import PayloadJSON

extension Rule {
    public static let personalizedAlert = Rule(
        id: "personalized-alert", severity: .warning, layer: .device, looksAt: .personalized, reads: [],
        summary: "A personalized push has an alert.",
        rationale: """
            The app fetches decisions when the user opens the push. A push without an alert cannot be opened, and the \
            app does nothing with it when it arrives.
            """,
        source: RuleSource.personalizedContract,
        passes: [
            Example(#"{"aps":{"alert":{"title":"New"}},"type":"PERSONALIZED"}"#),
            Example(#"{"aps":{"content-available":1},"type":"ORDER"}"#),
        ],
        fails: [
            Example(#"{"aps":{"content-available":1},"type":"PERSONALIZED"}"#),
            Example(#"{"aps":{"badge":1},"type":"PERSONALIZED","personalization":{"points":["home_hero"]}}"#),
        ]
    ) { notification, findings in
        guard let type = notification[.type], notification.document.isString(type, "PERSONALIZED"),
            notification[.alert] == nil, let aps = notification.aps
        else { return }
        findings.report(
            "there is no alert, so the user cannot open this push; add an alert",
            at: notification.place(ofMissingIn: aps), missing: "alert")
    }
}
