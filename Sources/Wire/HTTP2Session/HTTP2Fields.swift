/// The header fields of a request or response to send. Each session reuses one, so that a request needs no allocation
/// here. Names are lower case; pseudo fields come first.
package struct HTTP2Fields: ~Copyable {
    /// One field. Its value follows in memory, padded to whole words.
    struct Record {
        let name: UnsafePointer<UInt8>  // of a static string
        let nameCount: UInt32
        private let valueCountAndMark: UInt32

        init(name: StaticString, valueCount: Int, isIndexed: Bool) {
            self.name = name.utf8Start
            nameCount = UInt32(name.utf8CodeUnitCount)
            valueCountAndMark = UInt32(valueCount) << 1 | (isIndexed ? 1 : 0)
        }

        var valueCount: Int { Int(valueCountAndMark >> 1) }
        var isIndexed: Bool { valueCountAndMark & 1 == 1 }
        /// The bytes from this record to the next.
        var stride: Int { MemoryLayout<Record>.size + (valueCount + 7) & ~7 }
    }

    /// Every peer accepts a frame of this size (RFC 9113 4.2), so a head always fits into one frame.
    static let maximumEncodedBytes = 16384
    /// The most that HPACK adds to the name and value of a field: three integers, one of them a table index.
    private static let overhead = 12
    private static let maximumFields = 32

    private var start: UnsafeMutableRawPointer
    private var capacity = 2048
    private var count = 0
    private var fieldCount = 0
    /// An upper bound for the length of a header block with these fields.
    private(set) var encodedBytes = 0
    private(set) var isOverfull = false

    init() {
        start = .allocate(byteCount: capacity, alignment: MemoryLayout<Record>.alignment)
    }

    deinit { start.deallocate() }

    mutating func removeAll() {
        count = 0
        fieldCount = 0
        encodedBytes = 0
        isOverfull = false
    }

    /// The records with their values.
    var records: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: count) }

    /// Adds a field with a copy of `value`.
    ///
    /// - Parameters:
    ///   - prefix: A string before the value.
    ///   - isIndexed: Whether HPACK stores the field for later requests. Set it to false for a value that is different each
    ///     time, because it would evict useful entries from the table. Its first value is still indexed, to add the name.
    package mutating func add(
        _ name: StaticString, prefix: StaticString = "", _ value: UnsafeRawBufferPointer, isIndexed: Bool = true
    ) {
        let prefixCount = prefix.hasPointerRepresentation ? prefix.utf8CodeUnitCount : 0
        let total = prefixCount + value.count
        let encoded = encodedBytes + name.utf8CodeUnitCount + total + HTTP2Fields.overhead
        guard fieldCount < HTTP2Fields.maximumFields, encoded <= HTTP2Fields.maximumEncodedBytes else {
            isOverfull = true
            return
        }
        let record = Record(name: name, valueCount: total, isIndexed: isIndexed)
        if count + record.stride > capacity { grow(toHold: count + record.stride) }
        start.storeBytes(of: record, toByteOffset: count, as: Record.self)
        let text = start + count + MemoryLayout<Record>.size
        if prefixCount > 0 { text.copyMemory(from: prefix.utf8Start, byteCount: prefixCount) }
        if let base = value.baseAddress { (text + prefixCount).copyMemory(from: base, byteCount: value.count) }
        count += record.stride
        fieldCount += 1
        encodedBytes = encoded
    }

    private mutating func grow(toHold needed: Int) {
        capacity = max(needed, capacity * 2)
        let larger = UnsafeMutableRawPointer.allocate(
            byteCount: capacity, alignment: MemoryLayout<Record>.alignment)
        larger.copyMemory(from: start, byteCount: count)
        start.deallocate()
        start = larger
    }

    package mutating func add(
        _ name: StaticString, prefix: StaticString = "", _ value: String, isIndexed: Bool = true
    ) {
        let isAdded: Void? = value.utf8.withContiguousStorageIfAvailable {
            add(name, prefix: prefix, UnsafeRawBufferPointer($0), isIndexed: isIndexed)
        }
        guard isAdded == nil else { return }
        var copy = value  // a bridged NSString on Apple's platforms
        copy.withUTF8 { add(name, prefix: prefix, UnsafeRawBufferPointer($0), isIndexed: isIndexed) }
    }

    package mutating func add(_ name: StaticString, _ value: [UInt8], isIndexed: Bool = true) {
        value.withUnsafeBytes { add(name, $0, isIndexed: isIndexed) }
    }

    package mutating func add(_ name: StaticString, _ value: StaticString) {
        add(name, UnsafeRawBufferPointer(start: value.utf8Start, count: value.utf8CodeUnitCount))
    }

    /// Adds a field with a decimal number. `String(value)` would cost more than the rest of a request.
    package mutating func add(_ name: StaticString, _ value: Int, isIndexed: Bool = true) {
        withUnsafeTemporaryAllocation(byteCount: 20, alignment: 1) { digits in
            var start = digits.count
            var rest = value.magnitude
            repeat {
                start -= 1
                digits[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
            } while rest > 0
            if value < 0 {
                start -= 1
                digits[start] = UInt8(ascii: "-")
            }
            add(name, UnsafeRawBufferPointer(rebasing: digits[start...]), isIndexed: isIndexed)
        }
    }
}
