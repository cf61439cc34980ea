import APNSModel
import PayloadJSON

extension Rule {
    public static let payloadObject = Rule(
        id: "payload-object", severity: .error, layer: .device, looksAt: .rootOfOtherKind,
        summary: "A payload is one JSON object.",
        rationale: "All keys that a device knows are in an object, so an array or a single value has no meaning.",
        source: RuleSource.generatingPayloads,
        passes: [Example("{}"), Example(#"{"mdm":"B7C1"}"#, .mdm)],
        fails: [Example("[]"), Example(#""Hi""#), Example("null"), Example(#"[{"aps":{"alert":"Hi"}}]"#)]
    ) { notification, findings in
        let kind = notification.document.kind(of: .root)
        guard kind != .object else { return }
        findings.report(
            "the payload is \(kind.inWords); it must be an object", at: notification.place(ofMissingIn: .root))
    }
}
