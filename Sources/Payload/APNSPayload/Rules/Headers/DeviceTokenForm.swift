import APNSModel

extension Rule {
    public static let deviceTokenForm = Rule(
        id: "device-token-form", severity: .error, layer: .gateway, refusal: .badDeviceToken, stage: .headers,
        summary: "A device token is written in hexadecimal digits, two for each byte.",
        rationale: """
            The system gives the app a device token as bytes. In the path of a request it is written in hexadecimal \
            digits, without brackets, white space or prefix. Base64, or the description of a Data value, is not a \
            device token. Both upper and lower case are accepted.
            """,
        source: RuleSource.sendingRequests,
        passes: [
            Example("{}", .alert, token: "00fc13adff785122b4ad28809a3420982341241421348097878e577c991de8f0"),
            Example("{}", .alert, token: "00FC13ADFF785122B4AD28809A3420982341241421348097878E577C991DE8F0"),
            Example("{}", .alert),
        ],
        fails: [
            Example("{}", .alert, token: "<00fc13ad ff785122 b4ad2880 9a342098 23412414 21348097 878e577c 991de8f0>"),
            Example("{}", .alert, token: "APwTrf94USK0rSiAmjQgmCNBJBQhNICXh45XfJkd6PA="),
            Example("{}", .alert, token: "00fc13adff785122b4ad28809a3420982341241421348097878e577c991de8f"),
            Example("{}", .alert, token: "00fc13adff785122b4ad28809a3420982341241421348097878e577c991de8f0 "),
            Example("{}", .alert, token: "0x00fc13adff785122b4ad28809a3420982341241421348097878e577c991de8f0"),
            Example("{}", .alert, token: "{length = 32, bytes = 0x00fc13ad ff785122 ... 878e577c 991de8f0 }"),
            Example("{}", .alert, token: "DEVICE-TOKEN"), Example("{}", .alert, token: ""),
        ]
    ) { notification, findings in
        guard let text = notification.text(of: .token), let problem = DeviceTokenProblem(text) else { return }
        findings.report(
            "the device token \(problem); \(problem.advice)", at: .header("token"), correction: text.deviceTokenDigits)
    }
}

extension String {
    /// The digits of a device token with white space, brackets, quotation marks or 0x around them, and of the description of a
    /// Data value, which has groups of eight digits. Nil for other forms: digits in other groups, or in
    /// groups that have less than the usual 32 bytes together, may be two device tokens.
    fileprivate var deviceTokenDigits: String? {
        var text = trimmed { $0.properties.isWhitespace || "<>\"'".unicodeScalars.contains($0) }
        if text.hasPrefix("0x") || text.hasPrefix("0X") { text.removeFirst(2) }
        let groups = text.split(separator: " ")
        let digits = groups.joined()
        if groups.count > 1 {
            let areOfData =
                groups.dropLast().allSatisfy { $0.utf8.count == 8 } && groups.allSatisfy { $0.utf8.count <= 8 }
            guard areOfData, digits.utf8.count >= 64 else { return nil }
        }
        return DeviceToken(digits) == nil ? nil : digits
    }
}
