package import APNSPayload

/// Rules about files and about suppressions, beside those about notifications.
package enum LintRule {
    package static let all = files + suppressions

    package static let files = [byteOrderMark, binaryFile, unreadableFile]
    package static let suppressions = [suppressionForm, suppressionUnknownRule, suppressionUnused]

    package static let byteOrderMark = Rule(
        id: "byte-order-mark", severity: .error, layer: .device,
        summary: "A file, or a line of a stream, does not begin with a byte order mark.",
        rationale: """
            A payload is sent with the bytes of its file, and a device need not accept the three bytes EF BB BF before JSON. \
            Some editors on Windows write them; save the file as UTF-8 without a byte order mark. `--fix` removes it.
            """, source: "https://www.rfc-editor.org/rfc/rfc8259#section-8.1",
        passes: [Example(file: #"{"aps":{"alert":"Hi"}}"#)],
        fails: [Example(file: "\u{FEFF}" + #"{"aps":{"alert":"Hi"}}"#)]
    ) { _, _ in }

    package static let binaryFile = Rule(
        id: "binary-file", severity: .error, layer: .style, summary: "A payload file in a folder is text.",
        rationale: """
            A folder of payloads has a file with the name of a payload and the content of a picture or a program. The other \
            files are checked.
            """, source: "docs/validate.md", passes: [Example(file: #"{"aps":{"alert":"Hi"}}"#)],
        fails: [Example(file: "\u{7F}ELF\u{0}")]
    ) { _, _ in }

    package static let unreadableFile = Rule(
        id: "unreadable-file", severity: .error, layer: .style, summary: "A payload file in a folder can be read.",
        rationale: """
            A folder of payloads has a link without a target, a file that this user may not read, or one that is too large to \
            be a payload. The other files are checked.
            """, source: "docs/validate.md", passes: [Example(file: #"{"aps":{"alert":"Hi"}}"#)],
        fails: [Example(file: "", named: "push.json, a link without a target")]
    ) { _, _ in }

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
