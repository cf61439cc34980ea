import APNSModel
import PayloadJSON

extension Rule {
    public static let locKeyPlaceholder = Rule(
        id: "loc-key-placeholder", severity: .warning, layer: .device, looksAt: localizationKeys,
        summary: "The placeholders of a localized text are written %@ or %1$@.",
        rationale: """
            Every argument of a push is a string, and %@ is the placeholder for strings. A placeholder for a number, \
            such as %d, shows something other than the argument.
            """,
        source: RuleSource.generatingPayloads,
        passes: [
            Example(#"{"aps":{"alert":{"loc-key":"%@ visits","loc-args":["3"]}}}"#, .alert),
            Example(#"{"aps":{"alert":{"loc-key":"50 % done","loc-args":["a"]}}}"#),
            Example(#"{"aps":{"alert":{"loc-key":"%d visits"}}}"#),
        ],
        fails: [
            Example(#"{"aps":{"alert":{"loc-key":"%d visits","loc-args":["3"]}}}"#, .alert),
            Example(#"{"aps":{"alert":{"title-loc-key":"%1$ld of %2$@","title-loc-args":["3","4"]}}}"#),
        ]
    ) { notification, findings in
        guard notification.consumer != .app else { return }
        for text in LocalizedText.all {
            guard let key = notification[text.key], notification[text.arguments] != nil,
                let format = notification.format(key),
                let other = LocalizedText.placeholders(in: format).others.first
            else { continue }
            findings.report(
                "\(text.key.name) has the placeholder \(other), but arguments are strings; write %@ or %1$@",
                at: notification.place(ofValue: key))
        }
    }

    private static let localizationKeys = KeySet(LocalizedText.all.map(\.key))
}
