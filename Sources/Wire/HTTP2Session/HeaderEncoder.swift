/// Writes the header blocks of one connection (HPACK, RFC 7541).
///
/// It replaces the encoder of nghttp2, which never indexes `authorization` and so sends the whole provider token with each
/// request: that took a third of the sender's instructions (docs/performance.md). Apple's documentation allows indexing it
/// (docs/reference/apns.md 1.4, the newer advice). Fields that are different each time are not indexed. A name that is in
/// neither table is indexed with its value, so that later fields refer to the name by an index.
///
/// Values have no Huffman coding. A repeated field is one byte anyway; for the others the coding would save a sixth of the
/// bytes and cost both ends several times the CPU.
struct HeaderEncoder {
    private struct Name {
        let start: UnsafePointer<UInt8>  // of a static string
        let count: Int
        /// The index in the static table; 0 for a name that is not in it.
        let staticIndex: Int
        /// The number of its newest entry in the dynamic table; -1 when it never had one.
        var newest = -1

        var text: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: start, count: count) }
    }

    private struct Entry {
        let name: Int
        let value: [UInt8]
        let size: Int
    }

    /// The size of a table when the peer does not ask for less (RFC 9113 6.5.2).
    private static let defaultCapacity = 4096

    private var names: [Name] = []
    /// The dynamic table, the newest entry last. Entries are numbered in the order in which they were added.
    private var entries: [Entry] = []
    private var numberOfFirst = 0
    private var size = 0
    private var capacity = defaultCapacity
    /// The smallest capacity since the last block, which the next block must contain.
    private var lowestUnsentCapacity: Int?

    /// The peer's SETTINGS_HEADER_TABLE_SIZE.
    mutating func limit(to bytes: Int) {
        let new = min(bytes, HeaderEncoder.defaultCapacity)
        guard new != capacity else { return }
        lowestUnsentCapacity = min(lowestUnsentCapacity ?? new, new)
        capacity = new
        evict(for: 0)
    }

    /// The most bytes that two size updates take at the start of a block.
    static let maximumSizeUpdateBytes = 8

    /// Writes the block for some fields.
    ///
    /// - Parameter target: Has space for the `encodedBytes` of the fields and for `maximumSizeUpdateBytes`.
    /// - Returns: The number of bytes written.
    mutating func encode(_ records: UnsafeRawBufferPointer, into target: UnsafeMutableRawPointer) -> Int {
        var output = Output(next: target)
        if let lowest = lowestUnsentCapacity {
            output.append(lowest, bits: 5, mark: 0x20)
            if capacity != lowest { output.append(capacity, bits: 5, mark: 0x20) }
            lowestUnsentCapacity = nil
        }
        guard var next = records.baseAddress else { return output.next - target }
        let end = next + records.count
        var expected = 0  // most requests have the same fields as the last one, in the same order
        while next < end {
            let record = next.load(as: HTTP2Fields.Record.self)
            let value = UnsafeRawBufferPointer(
                start: next + MemoryLayout<HTTP2Fields.Record>.size, count: record.valueCount)
            let name = self.name(of: record, expected: expected)
            encode(name, value, isIndexed: record.isIndexed, into: &output)
            expected = name + 1
            next += record.stride
        }
        return output.next - target
    }

    private mutating func encode(
        _ name: Int, _ value: UnsafeRawBufferPointer, isIndexed: Bool, into output: inout Output
    ) {
        if isIndexed, let number = entry(name, value) {
            return output.append(index(of: number), bits: 7, mark: 0x80)
        }
        let known = names[name]
        let nameIndex =
            known.staticIndex > 0 ? known.staticIndex : known.newest >= numberOfFirst ? index(of: known.newest) : 0
        let size = known.count + value.count + 32
        let isKept = (isIndexed || nameIndex == 0) && size <= capacity
        if isKept {
            output.append(nameIndex, bits: 6, mark: 0x40)
        } else {
            output.append(nameIndex, bits: 4, mark: 0)
        }
        if nameIndex == 0 { output.append(UnsafeRawBufferPointer(known.text)) }
        output.append(value)
        guard isKept else { return }
        evict(for: size)
        names[name].newest = numberOfFirst + entries.count
        entries.append(Entry(name: name, value: Array(value), size: size))
        self.size += size
    }

    /// The number of the entry with this name and value.
    private func entry(_ name: Int, _ value: UnsafeRawBufferPointer) -> Int? {
        var position = names[name].newest - numberOfFirst
        while position >= 0 {
            if entries[position].name == name, HeaderEncoder.isEqual(entries[position].value, value) {
                return numberOfFirst + position
            }
            position -= 1
        }
        return nil
    }

    /// Compares eight bytes at a time, because a provider token has about 200.
    private static func isEqual(_ left: [UInt8], _ right: UnsafeRawBufferPointer) -> Bool {
        guard left.count == right.count else { return false }
        return left.withUnsafeBytes { left in
            var position = 0
            while position + 8 <= left.count {
                guard
                    left.loadUnaligned(fromByteOffset: position, as: UInt64.self)
                        == right.loadUnaligned(fromByteOffset: position, as: UInt64.self)
                else { return false }
                position += 8
            }
            return left[position...].elementsEqual(right[position...])
        }
    }

    /// The static table has 61 entries; the newest entry of the dynamic table is next.
    private func index(of number: Int) -> Int { 61 + numberOfFirst + entries.count - number }

    private mutating func evict(for bytes: Int) {
        var count = 0
        while size + bytes > capacity, count < entries.count {
            size -= entries[count].size
            count += 1
        }
        entries.removeFirst(count)
        numberOfFirst += count
    }

    private mutating func name(of record: HTTP2Fields.Record, expected: Int) -> Int {
        if expected < names.count, names[expected].start == record.name { return expected }
        let text = UnsafeBufferPointer(start: record.name, count: Int(record.nameCount))
        // The same static string may have several addresses.
        if let known = names.firstIndex(where: { $0.start == record.name || $0.text.elementsEqual(text) }) {
            return known
        }
        names.append(
            Name(start: record.name, count: text.count, staticIndex: HeaderEncoder.staticIndex(of: text)))
        return names.count - 1
    }

    /// The first index with this name (RFC 7541 appendix A), for the names that are used here.
    private static func staticIndex(of name: UnsafeBufferPointer<UInt8>) -> Int {
        switch String(decoding: name, as: UTF8.self) {
        case ":authority": 1
        case ":method": 2
        case ":path": 4
        case ":scheme": 6
        case ":status": 8
        case "authorization": 23
        case "content-length": 28
        case "content-type": 31
        case "retry-after": 53
        default: 0
        }
    }
}

extension HeaderEncoder {
    /// Writes the bytes of a block.
    private struct Output {
        var next: UnsafeMutableRawPointer

        mutating func append(byte: Int) {
            next.storeBytes(of: UInt8(truncatingIfNeeded: byte), as: UInt8.self)
            next += 1
        }

        /// Appends an integer (RFC 7541 5.1): in the low `bits` of a byte with `mark`, and in more bytes if it is large.
        mutating func append(_ value: Int, bits: Int, mark: Int) {
            let limit = 1 << bits - 1
            guard value >= limit else { return append(byte: mark | value) }
            append(byte: mark | limit)
            var rest = value - limit
            while rest >= 128 {
                append(byte: rest & 127 | 128)
                rest >>= 7
            }
            append(byte: rest)
        }

        /// Appends a string without Huffman coding (RFC 7541 5.2).
        mutating func append(_ text: UnsafeRawBufferPointer) {
            append(text.count, bits: 7, mark: 0)
            guard let base = text.baseAddress else { return }
            next.copyMemory(from: base, byteCount: text.count)
            next += text.count
        }
    }
}
