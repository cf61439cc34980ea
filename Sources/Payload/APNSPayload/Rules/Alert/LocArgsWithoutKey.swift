import APNSModel
import PayloadJSON

extension Rule {
    public static let locArgsWithoutKey = Rule(
        id: "loc-args-without-key", severity: .error, layer: .device, looksAt: argumentKeys, reads: [],
        summary: "Localization arguments need a localization key.",
        rationale: """
            `title-loc-args`, `subtitle-loc-args` and `loc-args` fill the placeholders of the text that \
            `title-loc-key`, `subtitle-loc-key` or `loc-key` names. Without that key the device ignores them, and a \
            placeholder in a plain `title` or `body` stays as it is.
            """,
        source: RuleSource.generatingPayloads,
        passes: [
            Example(#"{"aps":{"alert":{"loc-key":"B","loc-args":["A"]}}}"#, .alert),
            Example(#"{"aps":{"alert":{"body":"Hi","loc-args":[]}}}"#),
            Example(#"{"aps":{"alert":{"loc-args":["A"]}}}"#, .voip),
        ],
        fails: [
            Example(#"{"aps":{"alert":{"body":"Hi %@","loc-args":["Anna"]}}}"#, .alert),
            Example(#"{"aps":{"alert":{"loc-key":"B","title-loc-args":["Anna"]}}}"#),
            Example(#"{"aps":{"alert":{"loc-key":null,"loc-args":["Anna"]}}}"#),
            Example(#"{"aps":{"alert":{"title":"Hi","subtitle-loc-args":["Anna"]}}}"#),
            Example(
                #"{"aps":{"timestamp":1767225600,"event":"update","content-state":{},"#
                    + #""alert":{"title":{"loc-args":["Anna"]},"body":"Hi"}}}"#, .liveactivity),
        ]
    ) { notification, findings in
        guard notification.consumer != .app else { return }
        for text in LocalizedText.all {
            guard let arguments = notification[text.arguments], notification[text.key] == nil,
                notification.document.elements(of: arguments).contains(where: { _ in true })
            else { continue }
            findings.report(
                "\(text.arguments.name) is given without \(text.key.name), so the device ignores the arguments; "
                    + "add the key of the text that they fill",
                at: notification.place(ofMissingIn: notification[text.object] ?? .root), missing: text.key.name)
        }
    }

    private static let argumentKeys = KeySet(LocalizedText.all.map(\.arguments))
}
