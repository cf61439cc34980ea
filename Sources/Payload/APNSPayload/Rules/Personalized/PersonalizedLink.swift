import PayloadJSON

extension Rule {
    public static let personalizedLink = Rule(
        id: "personalized-link", severity: .warning, layer: .device, looksAt: .personalized,
        summary: "The `link` of a personalized push is a URL with https and a host.",
        rationale: """
            The app follows it through its rules for deep links, which take only `https` and listed hosts, and refuse a \
            user before the host and `..` in the path. Then the push opens the app and leads nowhere.
            """,
        source: RuleSource.personalizedContract,
        passes: [
            Example(
                #"{"aps":{"alert":"New"},"type":"PERSONALIZED","personalization":"#
                    + #"{"link":"https://www.example.com/c/kitchen/kettles?utm_campaign=spring-26"}}"#)
        ],
        fails: [
            Example(#"{"aps":{"alert":"New"},"type":"PERSONALIZED","personalization":{"link":7}}"#),
            Example(#"{"aps":{"alert":"New"},"type":"PERSONALIZED","personalization":{"link":"http://example.com/"}}"#),
            Example(#"{"aps":{"alert":"New"},"type":"PERSONALIZED","personalization":{"link":"shop://kettles"}}"#),
            Example(#"{"aps":{"alert":"New"},"type":"PERSONALIZED","personalization":{"link":"https:///kettles"}}"#),
            Example(
                #"{"aps":{"alert":"New"},"type":"PERSONALIZED","personalization":{"link":"https://a@example.com/"}}"#),
            Example(
                #"{"aps":{"alert":"New"},"type":"PERSONALIZED","personalization":{"link":"https://example.com/c/%2e%2e/b"}}"#
            ),
            Example(
                #"{"aps":{"alert":"New"},"type":"PERSONALIZED","personalization":{"link":"https://example.com/%zz"}}"#),
            Example(
                #"{"aps":{"alert":"New"},"type":"PERSONALIZED","personalization":{"link":"https://example.com/a b"}}"#),
        ]
    ) { notification, findings in
        guard let link = notification.personalized("link") else { return }
        guard let text = notification.document.string(of: link) else {
            return findings.report(
                "link is \(notification.described(link)); it must be a URL with https",
                at: notification.place(ofValue: link))
        }
        guard let problem = PersonalizedText.problem(ofLink: text) else { return }
        findings.report("link \(problem), so the app does not follow it", at: notification.place(ofValue: link))
    }
}
