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

    /// The same for a `String`, without a generic call for each byte.
    package init?(checking text: String) {
        guard NotificationID.isCanonical(text.utf8) else { return nil }
        self.text = text
    }

    /// Reads the same, and throws an error that says what is wrong.
    public init(parsing text: some StringProtocol) throws(APNSValueError) {
        guard let id = NotificationID(text) else {
            let problem = text.isEmpty ? "is empty" : "\(ShownText.quoted(text)) is not a UUID in its canonical form"
            throw APNSValueError(
                .notificationID,
                "the apns-id \(problem); write 8-4-4-4-12 hexadecimal digits with hyphens, and nothing around them")
        }
        self = id
    }

    /// What is surely a canonical UUID, because this process made or checked it.
    package init(known text: String) { self.text = text }

    /// The same for bytes.
    package init?(utf8: UnsafeBufferPointer<UInt8>) {
        guard NotificationID.isCanonical(utf8) else { return nil }
        text = String(decoding: utf8, as: UTF8.self)
    }

    /// The form that APNs makes: upper case, 128 random bits, no version or variant bits (docs/reference/apns.md 1.7).
    public init(using generator: inout some RandomNumberGenerator) {
        text = NotificationID.format(generator.next(), generator.next(), letters: UInt8(ascii: "A"))
    }

    /// A new random id.
    public init() {
        var generator = SystemRandomNumberGenerator()
        self.init(using: &generator)
    }

    /// The lower-case form, as `apns-unique-id` has it.
    package static func lowercase(using generator: inout some RandomNumberGenerator) -> String {
        lowercase(generator.next(), generator.next())
    }

    /// The lower-case form of these 128 bits.
    package static func lowercase(_ high: UInt64, _ low: UInt64) -> String {
        format(high, low, letters: UInt8(ascii: "a"))
    }

    /// Calls `body` with the same as `count` bytes of ASCII.
    ///
    /// It is not generic over a result, because an unspecialized generic call across modules costs more than the id.
    package static func withLowercase(_ high: UInt64, _ low: UInt64, _ body: (UnsafeRawBufferPointer) -> Void) {
        withUnsafeTemporaryAllocation(byteCount: count, alignment: 8) { output in
            write(high, low, letters: UInt8(ascii: "a"), to: output)
            body(UnsafeRawBufferPointer(output))
        }
    }

    package static let count = 36

    private static func isCanonical(_ bytes: some Collection<UInt8>) -> Bool {
        bytes.withContiguousStorageIfAvailable { isCanonical($0) } ?? Array(bytes).withUnsafeBufferPointer(isCanonical)
    }

    /// One pass without an early exit, so that the compiler can vectorize it.
    private static func isCanonical(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard bytes.count == count else { return false }
        var isGood = true
        for position in 0..<count {
            let isHyphen = position == 8 || position == 13 || position == 18 || position == 23
            isGood = isGood && (isHyphen ? bytes[position] == UInt8(ascii: "-") : bytes[position].isHexDigit)
        }
        return isGood
    }

    /// - Parameter letters: `A` or `a`, for the digits from 10 on.
    private static func format(_ high: UInt64, _ low: UInt64, letters: UInt8) -> String {
        String(unsafeUninitializedCapacity: count) { buffer in
            write(high, low, letters: letters, to: UnsafeMutableRawBufferPointer(buffer))
            return count
        }
    }

    private static func write(
        _ high: UInt64, _ low: UInt64, letters: UInt8, to output: UnsafeMutableRawBufferPointer
    ) {
        output.storeBytes(of: hexDigits(high >> 32, letters), as: UInt64.self)
        let middle = (hexDigits(high, letters), hexDigits(low >> 32, letters))
        output.storeBytes(of: UInt32(truncatingIfNeeded: middle.0), toByteOffset: 9, as: UInt32.self)
        output.storeBytes(of: UInt32(truncatingIfNeeded: middle.0 >> 32), toByteOffset: 14, as: UInt32.self)
        output.storeBytes(of: UInt32(truncatingIfNeeded: middle.1), toByteOffset: 19, as: UInt32.self)
        output.storeBytes(of: UInt32(truncatingIfNeeded: middle.1 >> 32), toByteOffset: 24, as: UInt32.self)
        output.storeBytes(of: hexDigits(low, letters), toByteOffset: 28, as: UInt64.self)
        for hyphen in [8, 13, 18, 23] { output[hyphen] = UInt8(ascii: "-") }
    }

    /// The low 32 bits as eight digits, the first one in the lowest byte. It computes them all at once, because the sender
    /// makes an id for each notification.
    private static func hexDigits(_ value: UInt64, _ letters: UInt8) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        var digits = value & 0xFFFF_FFFF
        digits = (digits | digits << 16) & 0x0000_FFFF_0000_FFFF
        digits = (digits | digits << 8) & 0x00FF_00FF_00FF_00FF
        digits = (digits | digits << 4) & 0x0F0F_0F0F_0F0F_0F0F
        let isLetter = (digits + 6 * ones) >> 4 & ones
        let toLetter = UInt64(letters - UInt8(ascii: "0") - 10)
        return (digits + UInt64(UInt8(ascii: "0")) * ones + isLetter * toLetter).byteSwapped
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
