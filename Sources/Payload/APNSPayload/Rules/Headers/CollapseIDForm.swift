import APNSModel

extension Rule {
    public static let collapseIDForm = Rule(
        id: "collapse-id-form", severity: .warning, layer: .gateway, stage: .headers,
        summary: "A collapse id is not empty, has no control characters and no white space at its ends.",
        rationale: """
            HTTP lets whoever passes a header on drop white space at its ends, so that the id would no longer be the same. What \
            APNs does with an empty id is not documented; leave the header out when nothing is to be merged.
            """,
        source: RuleSource.http2,
        passes: [Example("{}", .alert, collapseID: "order 7"), Example("{}", .alert)],
        fails: [
            Example("{}", .alert, collapseID: ""), Example("{}", .alert, collapseID: " acct-001"),
            Example("{}", .alert, collapseID: "a\u{1B}b"),
        ]
    ) { notification, findings in
        guard let text = notification.text(of: .collapseID) else { return }
        guard let first = text.utf8.first, let last = text.utf8.last else {
            return findings.report(
                "apns-collapse-id is empty; leave it out when nothing is to be merged", at: .header("apns-collapse-id"))
        }
        let edges = [UInt8(ascii: " "), UInt8(ascii: "\t")]
        if edges.contains(first) || edges.contains(last) {
            return findings.report(
                "apns-collapse-id \(notification.shown(text: text)) has white space at an end; take it away",
                at: .header("apns-collapse-id"))
        }
        let isAllowed = { (byte: UInt8) in
            (byte >= 0x20 && byte != 0x7F) || byte == 0 || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
        }
        guard let wrong = text.utf8.first(where: { !isAllowed($0) }) else { return }
        findings.report(
            "apns-collapse-id has \(Unicode.Scalar(wrong).named) in it; use characters that can be seen",
            at: .header("apns-collapse-id"))
    }
}
