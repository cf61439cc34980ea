/// What a session keeps for each open stream, by slot.
struct StreamTable {
    private struct Entry {
        var id: Int32 = 0
        var received = 0
        var isTooLong = false
        var wasSent = false
        var resetsAfterResponse = false
        var body: [UInt8] = []
        var written = 0
        /// How much of the body may go by now; less than `Int.max` keeps the end back as well.
        var released = Int.max
        var head: Head?
    }

    /// The header fields of a message whose HEADERS frame has not gone out.
    struct Head {
        fileprivate let block: UnsafeMutableRawPointer
        fileprivate let count: Int
        /// No header block of it is longer.
        let encodedBytes: Int

        var records: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: block, count: count) }
    }

    /// Where heads are kept.
    private let blocks: SessionMemory.Blocks

    init(blocks: SessionMemory.Blocks) { self.blocks = blocks }

    private var entries: ContiguousArray<Entry> = []
    private var free: [Int] = []
    /// Slots whose `closed` event has not been taken yet; no new stream may have them.
    private var closing: [Int] = []

    /// Streams that are open, in either direction.
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

    /// Takes back an `open` whose request was not submitted after all.
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
    func isTooLong(_ slot: Int) -> Bool { entries[slot].isTooLong }
    mutating func markTooLong(_ slot: Int) { entries[slot].isTooLong = true }
    func wasSent(_ slot: Int) -> Bool { entries[slot].wasSent }
    mutating func resetAfterResponse(_ slot: Int) { entries[slot].resetsAfterResponse = true }

    /// The last frame of our side has gone out.
    ///
    /// - Returns: Whether the stream is now to be reset, because the peer may still be sending.
    mutating func markSent(_ slot: Int) -> Bool {
        entries[slot].wasSent = true
        return entries[slot].resetsAfterResponse
    }

    /// Keeps the fields until their frame goes out, since the order of the frames decides what stands in the table then.
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

    /// For the end of the session; blocks that came from `malloc` are not freed with the pool.
    func freeHeads() {
        for entry in entries { if let head = entry.head { blocks.giveBack(head.block) } }
    }

    mutating func setBody(_ body: [UInt8], released: Int = .max, _ slot: Int) {
        entries[slot].body = body
        entries[slot].released = released
    }

    mutating func release(upTo bytes: Int, _ slot: Int) { entries[slot].released = bytes }

    /// - Returns: A count of 0 that is not the last where the rest is kept back.
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
