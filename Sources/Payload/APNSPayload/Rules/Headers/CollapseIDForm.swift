import APNSModel

extension Rule {
    public static let collapseIDForm = Rule(
        id: "collapse-id-form", severity: .warning, layer: .gateway, stage: .headers,
        summary: "A collapse id is not empty, and has no control characters and no white space at its ends.",
        rationale: """
            An HTTP intermediary may remove white space at the ends of a header, which changes the id. It is not \
            documented what APNs does with an empty id; leave the header out if notifications are not to replace each \
            other.
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
                "apns-collapse-id is empty; leave it out if notifications are not to replace each other",
                at: .header("apns-collapse-id"))
        }
        let edges = [UInt8(ascii: " "), UInt8(ascii: "\t")]
        if edges.contains(first) || edges.contains(last) {
            return findings.report(
                "apns-collapse-id \(notification.shown(text: text)) begins or ends with white space; remove it",
                at: .header("apns-collapse-id"), correction: text.trimmedCollapseID)
        }
        let isAllowed = { (byte: UInt8) in
            (byte >= 0x20 && byte != 0x7F) || byte == 0 || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
        }
        guard let wrong = text.utf8.first(where: { !isAllowed($0) }) else { return }
        findings.report(
            "apns-collapse-id contains \(Unicode.Scalar(wrong).named); use printable characters",
            at: .header("apns-collapse-id"))
    }
}

extension String {
    /// A collapse id without spaces, tabs and line breaks at its ends; nil if nothing is left, or control characters.
    var trimmedCollapseID: String? {
        let text = trimmed { $0.isASCII && $0.properties.isWhitespace }
        return text.isEmpty || text.utf8.contains { $0 < 0x20 || $0 == 0x7F } ? nil : text
    }
}
