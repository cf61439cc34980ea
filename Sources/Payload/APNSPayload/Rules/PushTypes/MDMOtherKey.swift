import APNSModel
import PayloadJSON

extension Rule {
    public static let mdmOtherKey = Rule(
        id: "mdm-other-key", severity: .warning, layer: .device, pushTypes: [.mdm, .absent], reads: [],
        summary: "An MDM push contains nothing but `mdm`.",
        rationale: """
            The push only makes the device ask its server for commands. It has no `aps`, and everything else in it is \
            ignored.
            """,
        source: RuleSource.mdm,
        passes: [
            Example(#"{"mdm":"7D0C4F1B"}"#, .mdm), Example(#"{"mdm":"7D0C4F1B","aps":{}}"#, .alert),
            Example("{}", .mdm),
        ],
        fails: [
            Example(#"{"mdm":"7D0C4F1B","aps":{}}"#, .mdm),
            Example(#"{"command":"lock","mdm":"7D0C4F1B","a":1}"#, .mdm),
        ]
    ) { notification, findings in
        guard notification.impliedPushType == .mdm else { return }
        let mdm = notification.written(.mdm)
        let others = notification.document.members(of: .root).filter {
            $0.value != mdm && !notification.document.isString($0.key, "mdm")
        }
        guard let first = others.first else { return }
        let names = others.prefix(3).compactMap { notification.document.string(of: $0.key) }.map(TerminalText.safe)
        findings.report(
            "the payload has \(names.listed())\(others.count > 3 ? " and more" : ""); an MDM push has mdm only",
            at: notification.place(ofKeyOf: first.value))
    }
}
