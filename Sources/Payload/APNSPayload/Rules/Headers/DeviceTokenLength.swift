import APNSModel

extension Rule {
    public static let deviceTokenLength = Rule(
        id: "device-token-length", severity: .note, layer: .gateway, stage: .headers,
        summary: "A device token in a file has 32 to 100 bytes, as all that have been seen.",
        rationale: """
            32 bytes, 64 digits, are usual, and tokens of 40, 54 and 80 bytes have been seen. Apple promises no length, so this \
            is only a hint that something may have been cut off or joined.
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
            "the device token has \(token.byteCount) bytes; one of \(isShort ? "less than 32" : "more than 100") has not been "
                + "seen yet, so look whether \(isShort ? "something was cut off" : "two were joined")",
            at: .header("token"))
    }
}
