import APNSModel

extension Rule {
    public static let collapseIDLength = Rule(
        id: "collapse-id-length", severity: .error, layer: .gateway, refusal: .badCollapseID, stage: .headers,
        summary: "A collapse id has at most 64 bytes.",
        rationale: """
            The length is counted in bytes of UTF-8, not in characters: an emoji has four bytes, and most letters \
            outside of ASCII have two or three. APNs answers BadCollapseId to a longer one.
            """,
        source: RuleSource.sendingRequests,
        passes: [
            Example("{}", .alert, collapseID: "acct-001"),
            Example("{}", .alert, collapseID: String(repeating: "x", count: 64)),
            Example("{}", .alert, collapseID: String(repeating: "é", count: 32)),
        ],
        fails: [
            Example("{}", .alert, collapseID: String(repeating: "x", count: 65)),
            Example("{}", .alert, collapseID: String(repeating: "é", count: 33)),
        ]
    ) { notification, findings in
        guard let text = notification.text(of: .collapseID), text.utf8.count > CollapseID.maximumBytes else { return }
        let bytes = text.utf8.count
        let characters = text.count
        findings.report(
            "apns-collapse-id has \(bytes) bytes\(characters < bytes ? " in \(characters) characters" : ""); it may have "
                + "\(CollapseID.maximumBytes), so it is \(bytes - CollapseID.maximumBytes) over",
            at: .header("apns-collapse-id"))
    }
}
