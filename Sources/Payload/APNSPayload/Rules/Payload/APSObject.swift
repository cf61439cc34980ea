import PayloadJSON

extension Rule {
    public static let apsObject = Rule(
        id: "aps-object", severity: .error, layer: .device, looksAt: .apsOfOtherKind,
        summary: "The value of `aps` is an object.",
        rationale: """
            A device looks for alert, badge, sound and other keys in `aps`, and finds none in another kind of value. A \
            payload without `aps` is allowed, and null counts as absent.
            """,
        source: RuleSource.generatingPayloads,
        passes: [Example(#"{"aps":{}}"#), Example("{}"), Example(#"{"aps":null}"#)],
        fails: [Example(#"{"aps":"Hi"}"#), Example(#"{"aps":[{"alert":"Hi"}]}"#), Example(#"{"aps":1}"#)]
    ) { notification, findings in
        let document = notification.document
        guard notification.aps == nil, let aps = notification[.aps] else { return }
        let kind = document.kind(of: aps)
        findings.report("aps is \(kind.inWords); it must be an object", at: notification.place(ofValue: aps))
    }
}
