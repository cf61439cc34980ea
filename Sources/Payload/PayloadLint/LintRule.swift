package import APNSPayload

/// Rules about what people write for the validator, beside those about notifications.
package enum LintRule {
    package static let all = [suppressionForm, suppressionUnknownRule, suppressionUnused]

    package static let suppressionForm = rule(
        "suppression-form", "An `apns-validate` in an envelope lists the rules to ignore.",
        "What is written in another form ignores nothing.",
        fails: #"{"apns-validate":"hint-record","payload":{"aps":{"content-available":1}}}"#)

    package static let suppressionUnknownRule = rule(
        "suppression-unknown-rule", "Rules that are ignored exist.",
        "The id of a rule that does not exist ignores nothing; most likely it is misspelt.",
        fails: #"{"apns-validate":{"ignore":["hint-recrod"]},"payload":{"aps":{"content-available":1}}}"#)

    package static let suppressionUnused = rule(
        "suppression-unused", "Rules that are ignored would find something.",
        "What was wrong here is right by now. Left standing, it would hide the same mistake when it comes back.",
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
