/// How far the journal has been compared with a match, newest first.
///
/// Each part is read under the world's lock, which is released between two parts. A part has as many entries as can be
/// compared with the match in a limited amount of work.
package struct JournalScan: Sendable {
    /// The most work in a part that has more than one entry, in comparisons of two keys. In an optimized build it takes well
    /// below a millisecond, and so does a single entry with more work.
    static let maximumWork = 1 << 16

    private var rest: Range<UInt64>
    /// How many values of the payload are compared; nil where it is not read.
    private let payloadValues: Int?

    package init(_ sequences: Range<UInt64>, for match: NotificationMatch) {
        rest = sequences
        payloadValues = match.payload?.count
    }

    /// The numbers of the next entries; nil after the oldest.
    package mutating func next(in world: borrowing World) -> Range<UInt64>? {
        guard !rest.isEmpty else { return nil }
        let end = rest.upperBound
        var first = end - 1
        var work = world.journal.work(of: first, payloadValues)
        while first > rest.lowerBound {
            work += world.journal.work(of: first - 1, payloadValues)
            guard work <= JournalScan.maximumWork else { break }
            first -= 1
        }
        rest = rest.lowerBound..<first
        return first..<end
    }
}
