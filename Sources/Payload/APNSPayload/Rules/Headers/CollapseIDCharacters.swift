import APNSModel

extension Rule {
    public static let collapseIDCharacters = Rule(
        id: "collapse-id-characters", severity: .error, layer: .gateway, stage: .headers,
        summary: "A collapse id does not contain a line break or NUL.",
        rationale: """
            An HTTP header cannot contain them, so a request with one is malformed and APNs does not even check it.
            """,
        source: RuleSource.http2,
        passes: [Example("{}", .alert, collapseID: "Café 001")],
        fails: [
            Example("{}", .alert, collapseID: "acct-001\n"), Example("{}", .alert, collapseID: "a\r\nb"),
            Example("{}", .alert, collapseID: "a\u{0}b"),
        ]
    ) { notification, findings in
        guard let text = notification.text(of: .collapseID), text.withBytes({ $0.contains { $0 < 0x20 } }),
            let wrong = text.unicodeScalars.first(where: { $0 == "\n" || $0 == "\r" || $0 == "\0" })
        else { return }
        findings.report(
            "apns-collapse-id contains \(wrong.named), which is not allowed in an HTTP header",
            at: .header("apns-collapse-id"), correction: text.trimmedCollapseID)
    }
}
