internal import CNghttp2

/// The header fields of one request or response on their way into nghttp2. One lives in each session and is used again,
/// so that a request costs no allocation here. Names are lower case; pseudo fields come first.
package struct HTTP2Fields: ~Copyable {
    private static let maximumFields = 32
    private static let maximumBytes = 16384

    private let fields: UnsafeMutablePointer<nghttp2_nv>
    private let bytes: UnsafeMutableRawPointer
    private var fieldCount = 0
    private var byteCount = 0
    private(set) var isOverfull = false

    init() {
        fields = .allocate(capacity: HTTP2Fields.maximumFields)
        bytes = .allocate(byteCount: HTTP2Fields.maximumBytes, alignment: 16)
    }

    deinit {
        fields.deallocate()
        bytes.deallocate()
    }

    mutating func removeAll() {
        fieldCount = 0
        byteCount = 0
        isOverfull = false
    }

    var list: UnsafeBufferPointer<nghttp2_nv> { UnsafeBufferPointer(start: fields, count: fieldCount) }

    /// Adds a field with a copy of `value`.
    ///
    /// - Parameters:
    ///   - prefix: Text that stands before the value.
    ///   - isIndexed: Whether HPACK may keep the field for the next request. Right for what repeats on a connection;
    ///     what is different each time only pushes useful entries out of the table.
    package mutating func add(
        _ name: StaticString, prefix: StaticString = "", _ value: UnsafeRawBufferPointer, isIndexed: Bool = true
    ) {
        let prefixCount = prefix.hasPointerRepresentation ? prefix.utf8CodeUnitCount : 0
        let total = prefixCount + value.count
        guard fieldCount < HTTP2Fields.maximumFields, byteCount + total <= HTTP2Fields.maximumBytes else {
            isOverfull = true
            return
        }
        let start = bytes + byteCount
        if prefixCount > 0 { start.copyMemory(from: prefix.utf8Start, byteCount: prefixCount) }
        if let base = value.baseAddress { (start + prefixCount).copyMemory(from: base, byteCount: value.count) }
        byteCount += total
        // nghttp2 only reads through these pointers; that they are not const is the age of its interface.
        fields[fieldCount] = nghttp2_nv(
            name: UnsafeMutablePointer(mutating: name.utf8Start), value: start.assumingMemoryBound(to: UInt8.self),
            namelen: name.utf8CodeUnitCount, valuelen: total,
            flags: UInt8((isIndexed ? NGHTTP2_NV_FLAG_NO_COPY_NAME : noIndexNoCopyName).rawValue))
        fieldCount += 1
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

private let noIndexNoCopyName = nghttp2_nv_flag(
    NGHTTP2_NV_FLAG_NO_INDEX.rawValue | NGHTTP2_NV_FLAG_NO_COPY_NAME.rawValue)
