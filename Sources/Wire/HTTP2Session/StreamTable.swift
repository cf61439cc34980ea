/// The state of each open stream, by slot.
struct StreamTable {
    private struct Entry {
        var id: Int32 = 0
        var received = 0
        var interims = 0
        var isTooLong = false
        var wasSent = false
        var resetsAfterResponse = false
        var body: [UInt8] = []
        var written = 0
        /// How many bytes of the body may be sent now. Any value below `Int.max` also holds back the end of the stream.
        var released = Int.max
        var head: Head?
    }

    /// The header fields of a message whose HEADERS frame is not sent yet.
    struct Head {
        fileprivate let block: UnsafeMutableRawPointer
        fileprivate let count: Int
        /// An upper bound for the length of its header block.
        let encodedBytes: Int

        var records: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: block, count: count) }
    }

    private let blocks: SessionMemory.Blocks

    init(blocks: SessionMemory.Blocks) { self.blocks = blocks }

    private var entries: ContiguousArray<Entry> = []
    private var free: [Int] = []
    /// Slots whose `closed` event has not been taken yet. No new stream gets them.
    private var closing: [Int] = []

    /// The number of open streams, in both directions.
    private(set) var count = 0

    mutating func open(id: Int32) -> Int {
        count += 1
        if let slot = free.popLast() {
            entries[slot].id = id
            return slot
        }
        entries.append(Entry(id: id))
        return entries.count - 1
    }

    mutating func setID(_ id: Int32, _ slot: Int) { entries[slot].id = id }

    func stream(_ slot: Int) -> HTTP2Stream? {
        guard entries.indices.contains(slot), entries[slot].id != 0 else { return nil }
        return HTTP2Stream(id: entries[slot].id, slot: Int32(truncatingIfNeeded: slot))
    }

    func slot(ofID id: Int32) -> Int? { entries.firstIndex { $0.id == id } }

    mutating func close(_ slot: Int) -> HTTP2Stream? {
        guard let stream = stream(slot) else { return nil }
        count -= 1
        dropHead(slot)
        entries[slot] = Entry()
        closing.append(slot)
        return stream
    }

    /// Undoes an `open` whose request could not be submitted.
    mutating func cancelOpen(_ slot: Int) {
        count -= 1
        dropHead(slot)
        entries[slot] = Entry()
        free.append(slot)
    }

    /// Every `closed` event was taken.
    mutating func releaseClosed() {
        free.append(contentsOf: closing)
        closing.removeAll(keepingCapacity: true)
    }

    func receivedBytes(_ slot: Int) -> Int { entries[slot].received }
    mutating func received(_ count: Int, _ slot: Int) { entries[slot].received += count }
    /// - Returns: How many interim answers the stream has had, with this one.
    mutating func countInterim(_ slot: Int) -> Int {
        entries[slot].interims += 1
        return entries[slot].interims
    }
    func isTooLong(_ slot: Int) -> Bool { entries[slot].isTooLong }
    mutating func markTooLong(_ slot: Int) { entries[slot].isTooLong = true }
    func wasSent(_ slot: Int) -> Bool { entries[slot].wasSent }
    mutating func resetAfterResponse(_ slot: Int) { entries[slot].resetsAfterResponse = true }

    /// The last frame of this side is sent.
    ///
    /// - Returns: Whether to reset the stream now, because the peer may still be sending.
    mutating func markSent(_ slot: Int) -> Bool {
        entries[slot].wasSent = true
        return entries[slot].resetsAfterResponse
    }

    /// Stores the fields until their frame is sent, because the order of the frames decides the contents of the HPACK table.
    mutating func setHead(_ fields: borrowing HTTP2Fields, _ slot: Int) throws(HTTP2Error) {
        dropHead(slot)
        let records = fields.records
        guard let block = blocks.take(records.count) else { throw HTTP2Error.outOfMemory }
        if let base = records.baseAddress { block.copyMemory(from: base, byteCount: records.count) }
        entries[slot].head = Head(block: block, count: records.count, encodedBytes: fields.encodedBytes)
    }

    func head(_ slot: Int) -> Head? { entries.indices.contains(slot) ? entries[slot].head : nil }

    mutating func dropHead(_ slot: Int) {
        guard let head = entries[slot].head else { return }
        blocks.giveBack(head.block)
        entries[slot].head = nil
    }

    /// Frees all heads at the end of the session. The pool does not free blocks that came from `malloc`.
    func freeHeads() {
        for entry in entries { if let head = entry.head { blocks.giveBack(head.block) } }
    }

    mutating func setBody(_ body: [UInt8], released: Int = .max, _ slot: Int) {
        entries[slot].body = body
        entries[slot].released = released
    }

    mutating func release(upTo bytes: Int, _ slot: Int) { entries[slot].released = bytes }

    /// - Returns: A count of 0 and false where the rest is held back.
    mutating func readBody(_ slot: Int, into target: UnsafeMutableRawBufferPointer) -> (count: Int, isLast: Bool) {
        guard entries.indices.contains(slot) else { return (0, true) }
        let start = entries[slot].written
        let released = entries[slot].released
        let count = min(target.count, max(0, min(entries[slot].body.count, released) - start))
        entries[slot].body.withUnsafeBytes { body in
            target.copyMemory(from: UnsafeRawBufferPointer(rebasing: body[start..<(start + count)]))
        }
        entries[slot].written = start + count
        return (count, released == .max && entries[slot].written == entries[slot].body.count)
    }
}
