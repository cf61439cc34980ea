/// The value of `apns-id`: a UUID in its canonical form, 8-4-4-4-12 hexadecimal digits.
///
/// The spelling is kept, because APNs echoes an id as it was sent; two spellings of one UUID are equal.
public struct NotificationID: Sendable {
    public let text: String

    /// Fails unless `text` is a canonical UUID, in either case.
    public init?(_ text: some StringProtocol) {
        guard NotificationID.isCanonical(text.utf8) else { return nil }
        self.text = String(text)
    }

    /// The same for a `String`, without the cost of a generic call for each byte.
    package init?(checking text: String) {
        guard NotificationID.isCanonical(text.utf8) else { return nil }
        self.text = text
    }

    /// The form that APNs itself makes: upper case, all 128 bits random, no version or variant bits (1.7).
    public init(using generator: inout some RandomNumberGenerator) {
        text = NotificationID.format(generator.next(), generator.next(), digits: "0123456789ABCDEF")
    }

    /// A new random id.
    public init() {
        var generator = SystemRandomNumberGenerator()
        self.init(using: &generator)
    }

    /// The lower-case form, as `apns-unique-id` has it.
    package static func lowercase(using generator: inout some RandomNumberGenerator) -> String {
        format(generator.next(), generator.next(), digits: "0123456789abcdef")
    }

    private static func isCanonical(_ bytes: some Collection<UInt8>) -> Bool {
        guard bytes.count == 36 else { return false }
        for (position, byte) in bytes.enumerated() {
            switch position {
            case 8, 13, 18, 23: guard byte == UInt8(ascii: "-") else { return false }
            default: guard byte.isHexDigit else { return false }
            }
        }
        return true
    }

    private static func format(_ high: UInt64, _ low: UInt64, digits: StaticString) -> String {
        String(unsafeUninitializedCapacity: 36) { buffer in
            var output = 0
            for nibble in 0..<32 {
                if nibble == 8 || nibble == 12 || nibble == 16 || nibble == 20 {
                    buffer[output] = UInt8(ascii: "-")
                    output += 1
                }
                let half = nibble < 16 ? high : low
                let value = Int(truncatingIfNeeded: half >> UInt64(60 - 4 * (nibble % 16))) & 15
                buffer[output] = digits.utf8Start[value]
                output += 1
            }
            return output
        }
    }
}

extension NotificationID: Hashable {
    public static func == (left: NotificationID, right: NotificationID) -> Bool {
        left.text == right.text || left.text.lowercased() == right.text.lowercased()
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(text.lowercased()) }
}

extension NotificationID: CustomStringConvertible {
    public var description: String { text }
}
