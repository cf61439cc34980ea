import APNSModel

/// Makes the `apns-unique-id` of each journal entry so that the number of the entry can be computed from it. So the journal
/// needs no index by id.
struct UniqueIDs: Sendable {
    private let key: UInt64

    init(key: UInt64) { self.key = key }

    /// - Parameter random: The first half of the id; the second is `sequence`, mixed with a key.
    func id(of sequence: UInt64, random: UInt64) -> UniqueID {
        UniqueID(random, SeededGenerator.mix(sequence ^ key))
    }

    /// The number of the entry that would have this id. The first half has to be compared by the caller.
    func sequence(of id: UniqueID) -> UInt64 { SeededGenerator.unmix(id.low) ^ key }
}
