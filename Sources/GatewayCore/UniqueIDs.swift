import APNSModel

/// Makes the `apns-unique-id` of each journal entry so that the entry's number can be read from it again, which spares an
/// index of as many texts as the journal has entries.
struct UniqueIDs: Sendable {
    private let key: UInt64

    init(key: UInt64) { self.key = key }

    /// A lower-case UUID whose second half is `sequence`, scattered.
    ///
    /// - Parameter random: The first half.
    func id(of sequence: UInt64, random: UInt64) -> String {
        var words = TwoWords(first: random, second: SeededGenerator.mix(sequence ^ key))
        return NotificationID.lowercase(using: &words)
    }

    /// The number of the entry that would have this id; nil for a text that is no UUID in lower case. The first half has
    /// to be compared by the caller.
    func sequence(of id: String) -> UInt64? {
        guard NotificationID(id) != nil else { return nil }
        var word: UInt64 = 0
        for byte in id.utf8.suffix(17) where byte != UInt8(ascii: "-") {
            word = word << 4 | UInt64(byte < 0x3a ? byte - 0x30 : (byte | 0x20) - 0x57)
        }
        return SeededGenerator.unmix(word) ^ key
    }

    private struct TwoWords: RandomNumberGenerator {
        let first: UInt64
        let second: UInt64
        var isSecond = false

        mutating func next() -> UInt64 {
            defer { isSecond = true }
            return isSecond ? second : first
        }
    }
}
