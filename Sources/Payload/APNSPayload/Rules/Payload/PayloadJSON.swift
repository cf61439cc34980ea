import PayloadJSON

extension Rule {
    public static let payloadJSON = Rule(
        id: "payload-json", severity: .error, layer: .device, stage: .text,
        summary: "A payload is well-formed JSON in UTF-8.",
        rationale: """
            A device drops a payload that it cannot parse. It is not documented what APNs answers, so the push may be \
            accepted and never shown.
            """,
        source: RuleSource.json,
        passes: [Example(#"{"aps":{"alert":"Zürich \ud83d\ude00"}}"#), Example("{ }\n")],
        fails: [
            Example(#"{"aps":{"alert":"Hi",}}"#), Example("{'aps':{}}"), Example(#"{"aps":{"alert":"Hi"}"#),
            Example("\u{FEFF}{}"), Example(#"{"aps":{"badge":01}}"#), Example(#"{"aps":{}} {}"#),
        ]
    ) { notification, findings in
        guard let error = notification.syntaxError else { return }
        let end = min(error.offset + 1, notification.envelope.payload.count)
        findings.report("the payload is not JSON: \(error)", at: .text(min(error.offset, end)..<end))
    }
}
