import APNSModel

/// Makes the `apns-unique-id` of each journal entry so that the entry's number can be read from it again, which spares an
/// index of as many texts as the journal has entries.
struct UniqueIDs: Sendable {
    private let key: UInt64

    init(key: UInt64) { self.key = key }

    /// - Parameter random: The first half; the second is `sequence`, scattered.
    func id(of sequence: UInt64, random: UInt64) -> UniqueID {
        UniqueID(random, SeededGenerator.mix(sequence ^ key))
    }

    /// The number of the entry that would have this id. The first half has to be compared by the caller.
    func sequence(of id: UniqueID) -> UInt64 { SeededGenerator.unmix(id.low) ^ key }
}
