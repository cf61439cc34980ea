import APNSModel

extension Rule {
    public static let deviceTokenLength = Rule(
        id: "device-token-length", severity: .note, layer: .gateway, stage: .headers,
        summary: "A device token in a file has 32 to 100 bytes, like all known device tokens.",
        rationale: """
            Most device tokens have 32 bytes (64 digits). Tokens of 40, 54 and 80 bytes have been seen as well. Apple \
            guarantees no length, so this only hints that a token may be cut off or joined with another one.
            """,
        source: RuleSource.registering,
        passes: [
            Example("{}", .alert, token: String(repeating: "ab", count: 32), kind: .envelope),
            Example("{}", .alert, token: String(repeating: "ab", count: 100), kind: .envelope),
            Example("{}", .alert, token: "ab12"),
        ],
        fails: [
            Example("{}", .alert, token: String(repeating: "ab", count: 31), kind: .envelope),
            Example("{}", .alert, token: String(repeating: "ab", count: 101), kind: .envelope),
        ]
    ) { notification, findings in
        guard notification.envelope.kind == .envelope, let text = notification.text(of: .token),
            let token = DeviceToken(text), !(32...100).contains(token.byteCount)
        else { return }
        let isShort = token.byteCount < 32
        findings.report(
            "the device token has \(token.byteCount) bytes; "
                + (isShort
                    ? "known ones have at least 32, so check whether it was cut off"
                    : "known ones have at most 100, so check whether two tokens were joined"),
            at: .header("token"))
    }
}
