import APNSModel

/// Why a string is not a device token.
enum DeviceTokenProblem: Hashable, Sendable, CustomStringConvertible {
    case empty
    case description
    case whiteSpace
    case prefix
    case base64
    case oddDigits(Int)
    case character(Unicode.Scalar)

    /// Nil for a valid device token.
    init?(_ text: String) {
        let isRight = text.withBytes { digits in
            // The loop has no early exit, so the compiler can vectorize it.
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
        } else if utf8.count >= 40, PaddedBase64.isBase64(text) {
            self = .base64
        } else {
            self = .character(wrong)
        }
    }

    var description: String {
        switch self {
        case .empty: "is empty"
        case .description: "is the description of a Data value, with brackets"
        case .whiteSpace: "contains white space"
        case .prefix: "begins with 0x"
        case .base64: "looks like base64"
        case .oddDigits(let count): "has \(count) digits, an odd number"
        case .character(let scalar): "contains \(scalar.named), which is not a hexadecimal digit"
        }
    }
}
