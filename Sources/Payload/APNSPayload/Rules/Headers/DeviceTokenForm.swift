import APNSModel

extension Rule {
    public static let deviceTokenForm = Rule(
        id: "device-token-form", severity: .error, layer: .gateway, refusal: .badDeviceToken, stage: .headers,
        summary: "A device token is written as hexadecimal digits, two for each byte.",
        rationale: """
            The device hands the app bytes; in the path of a request they stand as digits in hex, without brackets, white space and \
            prefix. Base64, or the text that describes a Data value, is no device token. Either case of digits is fine.
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
        guard let text = notification.text(of: .token), let fault = DeviceTokenFault(text) else { return }
        findings.report(
            "the device token \(fault); write it as hexadecimal digits, two for each byte", at: .header("token"))
    }
}

/// What a text is that should be a device token.
enum DeviceTokenFault: Hashable, Sendable, CustomStringConvertible {
    case empty
    case description
    case whiteSpace
    case prefix
    case base64
    case oddDigits(Int)
    case character(Unicode.Scalar)

    /// Nil for a device token.
    init?(_ text: String) {
        let isRight = text.withBytes { digits in
            // Without a way out of the loop, so that it looks at many digits at once.
            var isHex = true
            for digit in digits {
                isHex = isHex && (digit &- UInt8(ascii: "0") < 10) != ((digit | 0x20) &- UInt8(ascii: "a") < 6)
            }
            return isHex && !digits.isEmpty && digits.count.isMultiple(of: 2)
        }
        if isRight { return nil }
        let utf8 = text.utf8
        guard let wrong = text.unicodeScalars.first(where: { !$0.isASCII || !UInt8($0.value).isHexDigit }) else {
            self = utf8.isEmpty ? .empty : .oddDigits(utf8.count)
            return
        }
        if utf8.contains(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "{") }) {
            self = .description
        } else if text.unicodeScalars.contains(where: \.properties.isWhitespace) {
            self = .whiteSpace
        } else if text.begins(with: "0x") || text.begins(with: "0X") {
            self = .prefix
        } else if utf8.count >= 40, Base64Form.isBase64(text) {
            self = .base64
        } else {
            self = .character(wrong)
        }
    }

    var description: String {
        switch self {
        case .empty: "is empty"
        case .description: "is the description of a value, with brackets"
        case .whiteSpace: "has white space in it"
        case .prefix: "begins with 0x"
        case .base64: "looks like base64"
        case .oddDigits(let count): "has \(count) digits, an odd number"
        case .character(let scalar): "has \(scalar.named) in it, which is no hexadecimal digit"
        }
    }
}
