/// The header fields of one request or response on their way out. One lives in each session and is used again, so that a
/// request costs no allocation here. Names are lower case; pseudo fields come first.
package struct HTTP2Fields: ~Copyable {
    /// One field; its value follows, filled up to whole words.
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
        /// From this record to the next.
        var stride: Int { MemoryLayout<Record>.size + (valueCount + 7) & ~7 }
    }

    /// A frame of this size is taken by every peer (RFC 9113 section 4.2), so a head always fits one.
    static let maximumEncodedBytes = 16384
    /// For a field at most, beside name and value: three integers, one of which names a table entry.
    private static let overhead = 12
    private static let maximumFields = 32

    private var start: UnsafeMutableRawPointer
    private var capacity = 2048
    private var count = 0
    private var fieldCount = 0
    /// No block of these fields is longer.
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
    ///   - prefix: Text that stands before the value.
    ///   - isIndexed: Whether HPACK keeps the field for the next request. Right for what repeats on a connection; what is
    ///     different each time only pushes useful entries out of the table. It gets there once for its name, all the same.
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
        var copy = value  // a string that Foundation made elsewhere than on Linux
        copy.withUTF8 { add(name, prefix: prefix, UnsafeRawBufferPointer($0), isIndexed: isIndexed) }
    }

    package mutating func add(_ name: StaticString, _ value: [UInt8], isIndexed: Bool = true) {
        value.withUnsafeBytes { add(name, $0, isIndexed: isIndexed) }
    }

    package mutating func add(_ name: StaticString, _ value: StaticString) {
        add(name, UnsafeRawBufferPointer(start: value.utf8Start, count: value.utf8CodeUnitCount))
    }

    /// Adds a field with a decimal number, spelt out here because `String(value)` costs more than the rest of a request.
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
