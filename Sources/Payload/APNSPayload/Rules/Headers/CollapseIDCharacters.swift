import APNSModel

extension Rule {
    public static let collapseIDCharacters = Rule(
        id: "collapse-id-characters", severity: .error, layer: .gateway, stage: .headers,
        summary: "A collapse id has no line break and no NUL.",
        rationale:
            "No HTTP header can carry one, so a request with it is malformed and never reaches the checks of APNs.",
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
            "apns-collapse-id has \(wrong.named) in it, which no HTTP header can carry", at: .header("apns-collapse-id")
        )
    }
}
