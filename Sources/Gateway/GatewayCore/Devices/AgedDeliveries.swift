/// The deliveries in the histories of devices in the order in which they got there, so that the oldest of all devices is
/// found at once.
///
/// An entry stays when its delivery leaves the history for another reason; `DeviceTable` removes such entries.
struct AgedDeliveries: Sendable {
    struct Entry: Hashable, Sendable {
        /// The device that had this slot and this ordinal.
        let slot: Int
        let ordinal: UInt64
        /// When the delivery was received, by the machine's clock. Milliseconds since 1970.
        let moment: Int64
    }

    private var entries: [Entry] = []
    /// Those before it are removed.
    private var head = 0

    init(_ entries: [Entry] = []) { self.entries = entries }

    var count: Int { entries.count - head }
    var first: Entry? { head < entries.count ? entries[head] : nil }
    var all: ArraySlice<Entry> { entries[head...] }

    mutating func append(_ entry: Entry) { entries.append(entry) }

    mutating func removeFirst() -> Entry? {
        guard head < entries.count else { return nil }
        defer { head += 1 }
        if head >= 1024, 2 * head >= entries.count {
            entries.removeFirst(head)
            head = 0
        }
        return entries[head]
    }
}
