import APNSModel

/// An `apns-unique-id`: 128 bits. The string is made only when it is read, because most never are.
package struct UniqueID: Hashable, Sendable {
    let high: UInt64
    let low: UInt64

    init(_ high: UInt64, _ low: UInt64) { (self.high, self.low) = (high, low) }

    /// Nil for a string that is not a UUID in lower case.
    package init?(_ text: String) {
        guard NotificationID(checking: text) != nil else { return nil }
        var words: (high: UInt64, low: UInt64) = (0, 0)
        for byte in text.utf8 where byte != UInt8(ascii: "-") {
            let digit = byte < 0x3a ? byte - 0x30 : (byte | 0x20) - 0x57
            words = (words.high << 4 | words.low >> 60, words.low << 4 | UInt64(digit))
        }
        self.init(words.high, words.low)
        guard text == self.text else { return nil }
    }

    package var text: String { NotificationID.lowercase(high, low) }

    /// The bytes of the text, valid while `body` runs.
    package func withBytes(_ body: (UnsafeRawBufferPointer) -> Void) {
        NotificationID.withLowercase(high, low, body)
    }
}

extension UniqueID: CustomStringConvertible {
    package var description: String { text }
}

/// As its text.
extension UniqueID: Codable {
    package init(from decoder: any Decoder) throws {
        self = try decoder.checkedValue(or: "an apns-unique-id is expected") { (text: String) in UniqueID(text) }
    }

    package func encode(to encoder: any Encoder) throws { try text.encode(to: encoder) }
}
