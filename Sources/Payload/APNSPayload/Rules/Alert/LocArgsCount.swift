import APNSModel
import PayloadJSON

extension Rule {
    public static let locArgsCount = Rule(
        id: "loc-args-count", severity: .warning, layer: .device, looksAt: localizationKeys,
        summary: "There are as many arguments as placeholders.",
        rationale: """
            A localization key can be the text in one language, such as `%@ is on the way`. Then its placeholders are \
            known and the arguments must fill them: a placeholder without an argument is shown as garbage. A key \
            without placeholders is not checked.
            """,
        source: RuleSource.generatingPayloads,
        passes: [
            Example(#"{"aps":{"alert":{"loc-key":"%@ is on the way","loc-args":["Anna"]}}}"#, .alert),
            Example(#"{"aps":{"alert":{"loc-key":"%2$@ meets %1$@, %1$@","loc-args":["Anna","Ben"]}}}"#),
            Example(#"{"aps":{"alert":{"loc-key":"VISIT_BODY","loc-args":["Anna","14:30"]}}}"#),
            Example(#"{"aps":{"alert":{"loc-key":"100 %% done"}}}"#),
            Example(#"{"aps":{"alert":{"title-loc-key":"Save 50 % today"}}}"#),
        ],
        fails: [
            Example(#"{"aps":{"alert":{"loc-key":"%@ is on the way"}}}"#, .alert),
            Example(#"{"aps":{"alert":{"loc-key":"%@ meets %@","loc-args":["Anna"]}}}"#),
            Example(#"{"aps":{"alert":{"title-loc-key":"%1$@ is here","title-loc-args":["Anna","Ben"]}}}"#),
            Example(
                #"{"aps":{"timestamp":1767225600,"event":"update","content-state":{},"#
                    + #""alert":{"title":{"loc-key":"%@ left","loc-args":[]},"body":"Hi"}}}"#, .liveactivity),
        ]
    ) { notification, findings in
        guard notification.consumer != .app else { return }
        for text in LocalizedText.all {
            guard let key = notification[text.key], let format = notification.format(key) else { continue }
            let placeholders = LocalizedText.placeholders(in: format)
            let arguments = notification[text.arguments]
            let count = arguments.map { notification.document.elements(of: $0).reduce(0) { sum, _ in sum + 1 } } ?? 0
            guard placeholders.objects > 0, placeholders.others.isEmpty, count != placeholders.objects else { continue }
            findings.report(
                "\(text.key.name) has \(placeholders.objects) placeholder\(placeholders.objects == 1 ? "" : "s"), but "
                    + (arguments == nil ? "there is no \(text.arguments.name)" : "\(text.arguments.name) has \(count)")
                    + "; give one argument for each placeholder",
                at: arguments.map { notification.place(ofValue: $0) }
                    ?? notification.place(ofMissingIn: notification[text.object] ?? .root),
                missing: arguments == nil ? text.arguments.name : nil)
        }
    }

    private static let localizationKeys = KeySet(LocalizedText.all.map(\.key))
}
