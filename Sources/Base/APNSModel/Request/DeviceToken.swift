/// The address of one app on one device, as lower-case hexadecimal digits.
///
/// The length is not fixed: 32 bytes are usual, Live Activities had tokens of 80, and Apple asks not to hard-code a length
/// (docs/reference/apns.md 8).
public struct DeviceToken: Hashable, Sendable {
    public let hex: String

    /// Fails unless `text` is an even, non-zero number of hexadecimal digits in ASCII, of either case.
    public init?(_ text: some StringProtocol) {
        var text = String(text)
        guard let token = text.withUTF8({ DeviceToken(utf8: $0) }) else { return nil }
        self = token
    }

    /// The same for bytes. It makes one pass, without a generic call for each byte.
    package init?(utf8 digits: UnsafeBufferPointer<UInt8>) {
        guard !digits.isEmpty, digits.count.isMultiple(of: 2) else { return nil }
        var isHex = true
        for digit in digits { isHex = isHex && digit.isHexDigit }
        guard isHex else { return nil }
        hex = String(unsafeUninitializedCapacity: digits.count) { output in
            // Bit 0x20 is set in each decimal digit, and makes an upper-case letter lower-case.
            for position in digits.indices { output[position] = digits[position] | 0x20 }
            return digits.count
        }
    }

    /// A recorded value, to send it again unchanged. It may be empty, and APNs may refuse it.
    package init(recorded text: String) { hex = text }

    /// The number of bytes; two digits are one byte.
    public var byteCount: Int { hex.utf8.count / 2 }

    /// The first and last four digits. Log lines and messages have only this form.
    public var shortened: String { DeviceToken.shorten(hex) }

    /// Shortens a string that was given as a device token, so that a malformed one is not logged whole either.
    public static func shorten(_ text: some StringProtocol) -> String {
        text.count <= 8 ? String(text) : "\(text.prefix(4))…\(text.suffix(4))"
    }
}

extension DeviceToken: CustomStringConvertible {
    public var description: String { shortened }
}

extension DeviceToken: Codable {
    public init(from decoder: any Decoder) throws {
        self = try decoder.checkedValue(or: "hexadecimal digits are expected") { (text: String) in DeviceToken(text) }
    }

    public func encode(to encoder: any Encoder) throws { try hex.encode(to: encoder) }
}

extension UInt8 {
    /// Without a branch, so that the compiler can vectorize a loop over digits.
    package var isHexDigit: Bool {
        let isDecimal = self &- UInt8(ascii: "0") < 10
        let isLetter = (self | 0x20) &- UInt8(ascii: "a") < 6
        return isDecimal != isLetter
    }
}
