package import APNSPayload

/// Rules about suppressions, beside those about notifications.
package enum LintRule {
    package static let all = [suppressionForm, suppressionUnknownRule, suppressionUnused]

    package static let suppressionForm = rule(
        "suppression-form", "The `apns-validate` of an envelope lists the rules to ignore.",
        "In another form it has no effect.",
        fails: #"{"apns-validate":"hint-record","payload":{"aps":{"content-available":1}}}"#)

    package static let suppressionUnknownRule = rule(
        "suppression-unknown-rule", "Ignored rules exist.",
        "An unknown rule id has no effect and is probably misspelt.",
        fails: #"{"apns-validate":{"ignore":["hint-recrod"]},"payload":{"aps":{"content-available":1}}}"#)

    package static let suppressionUnused = rule(
        "suppression-unused", "Ignored rules find something.",
        "The problem has been fixed. If the suppression stays, it hides the same mistake in the future.",
        fails: #"{"apns-validate":{"ignore":["aps-object"]},"payload":{"aps":{"content-available":1}}}"#)

    private static let passing =
        #"{"apns-validate":{"ignore":["aps-object"],"reason":"a test"},"payload":{"aps":"x"}}"#

    private static func rule(_ id: String, _ summary: String, _ rationale: String, fails: String) -> Rule {
        Rule(
            id: id, severity: .warning, layer: .style, summary: summary, rationale: rationale,
            source: "docs/validate.md", passes: [Example(passing)], fails: [Example(fails)]
        ) { _, _ in }
    }
}
