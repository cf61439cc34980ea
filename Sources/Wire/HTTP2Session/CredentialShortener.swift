import CNghttp2

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Replaces the value of `authorization` by one byte where a client sends the same value again and again, and gives it back.
///
/// Encoders that are built on nghttp2 never put this field into the table of HPACK, so that each request has the whole provider
/// token in Huffman code. nghttp2 decodes it once, and gets the one byte from then on. The field stays a literal without indexing, so nghttp2's table is the same as before.
///
/// A value is known after it has come twice in a row. A head that came in pieces, has CONTINUATION frames or padding is left as it
/// is. Where a head has the field twice, the two values may come exchanged; APNs refuses such a head (`DuplicateHeaders`).
struct CredentialShortener {
    /// What nghttp2 gets in place of the value.
    static let placeholder = UInt8(ascii: "*")
    /// Lengths of the encoded string that are worth it, and that one connection may make the server keep.
    private static let lengths = 32...4096
    /// The number of the name `authorization` in the static table (RFC 7541, appendix A).
    private static let nameIndex = 23
    private static let frameHeader = 9

    private struct Cut {
        let stream: Int32
        let frame: Range<Int>
        /// The length of the value and its bytes, as HPACK writes them.
        let string: Range<Int>
    }

    /// The string that is replaced, as HPACK writes it.
    private var known: [UInt8] = []
    private var value: [UInt8] = []
    /// The last string that was not known.
    private var candidate: [UInt8] = []
    private var cuts: [Cut] = []
    /// The cuts before it are used up.
    private var next = 0

    // MARK: Bytes on their way to nghttp2

    /// Finds the values to replace.
    ///
    /// - Parameter heads: Where whole HEADERS frames are that hold a whole header block and no padding.
    /// - Returns: Whether there is one. Then `shorten` has to be called.
    mutating func find(in bytes: UnsafeRawBufferPointer, heads: [Range<Int>]) -> Bool {
        cuts.removeAll(keepingCapacity: true)
        next = 0
        for frame in heads {
            guard let string = CredentialShortener.credential(bytes, frame) else { continue }
            let encoded = UnsafeRawBufferPointer(rebasing: bytes[string])
            if !CredentialShortener.isEqual(encoded, known) {
                guard CredentialShortener.isEqual(encoded, candidate) else {
                    candidate.removeAll(keepingCapacity: true)
                    candidate += encoded
                    continue
                }
                // The cuts before it are of another value.
                guard cuts.isEmpty, learn(encoded) else { continue }
            }
            let id = bytes.loadUnaligned(fromByteOffset: frame.lowerBound + 5, as: UInt32.self).bigEndian
            cuts.append(Cut(stream: Int32(truncatingIfNeeded: id & 0x7fff_ffff), frame: frame, string: string))
        }
        return !cuts.isEmpty
    }

    /// Moves the bytes together, behind shorter values.
    ///
    /// - Returns: How many are left.
    func shorten(_ bytes: UnsafeMutableRawBufferPointer) -> Int {
        var read = 0
        var count = 0
        func move(upTo end: Int) {
            if read > count {
                UnsafeMutableRawBufferPointer(rebasing: bytes[count...])
                    .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[read..<end]))
            }
            count += end - read
            read = end
        }
        for cut in cuts {
            move(upTo: cut.frame.lowerBound)
            let start = count
            move(upTo: cut.string.lowerBound)
            bytes[count] = 1  // the length, without Huffman code
            bytes[count + 1] = CredentialShortener.placeholder
            count += 2
            read = cut.string.upperBound
            let length = cut.frame.count - CredentialShortener.frameHeader - cut.string.count + 2
            bytes[start] = UInt8(truncatingIfNeeded: length >> 16)
            bytes[start + 1] = UInt8(truncatingIfNeeded: length >> 8)
            bytes[start + 2] = UInt8(truncatingIfNeeded: length)
        }
        move(upTo: bytes.count)
        return count
    }

    /// Decodes a value that came for the second time.
    ///
    /// - Returns: Whether it can be replaced. nghttp2 does not see it again, so its characters must be ones that nghttp2 accepts.
    private mutating func learn(_ encoded: UnsafeRawBufferPointer) -> Bool {
        candidate.removeAll(keepingCapacity: true)
        var decoded = [UInt8](repeating: 0, count: 8 * encoded.count / 5 + 1)  // no code is shorter than five bits
        let field = [0x1f, UInt8(CredentialShortener.nameIndex - 15)] + encoded
        let count = CNghttp2_decode_field(field, field.count, &decoded, decoded.count)
        guard count > 0, decoded[..<count].allSatisfy({ (0x20...0x7e).contains($0) }) else { return false }
        known = Array(encoded)
        value = Array(decoded[..<count])
        return true
    }

    private static func isEqual(_ bytes: UnsafeRawBufferPointer, _ other: [UInt8]) -> Bool {
        bytes.count == other.count
            && other.withUnsafeBytes { memcmp($0.baseAddress!, bytes.baseAddress!, bytes.count) == 0 }
    }

    // MARK: Fields on their way back

    /// The value of a field as the client sent it; nil where nghttp2 has it.
    @inline(__always)
    mutating func original(
        name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer, in stream: Int32?
    ) -> [UInt8]? {
        guard value.count == 1, name.count == 13, value[0] == CredentialShortener.placeholder else { return nil }
        return original(name: name, in: stream)
    }

    @inline(never)
    private mutating func original(name: UnsafeRawBufferPointer, in stream: Int32?) -> [UInt8]? {
        guard next < cuts.count, name.elementsEqual("authorization".utf8),
            let index = cuts[next...].firstIndex(where: { $0.stream == stream })
        else { return nil }
        next = index + 1
        return value
    }
}

// MARK: HPACK

extension CredentialShortener {
    /// Where the first literal value of `authorization` is in a header block, if it is not to be put into the table.
    private static func credential(_ bytes: UnsafeRawBufferPointer, _ frame: Range<Int>) -> Range<Int>? {
        let hasPriority = bytes[frame.lowerBound + 4] & 0x20 != 0
        let start = frame.lowerBound + frameHeader + (hasPriority ? 5 : 0)
        guard start < frame.upperBound else { return nil }
        var reader = HeaderBlockReader(bytes, start..<frame.upperBound)
        while let literal = reader.nextLiteral() {
            guard literal.name == nameIndex, !literal.isIndexed else { continue }
            return lengths.contains(literal.value.count) ? literal.value : nil
        }
        return nil
    }
}

/// Walks through the fields of a header block without decoding them (RFC 7541, 6).
private struct HeaderBlockReader {
    struct Literal {
        /// The number of its name in the tables; 0 for a name that is written out.
        let name: Int
        /// Whether it is put into the table.
        let isIndexed: Bool
        let value: Range<Int>
    }

    private let bytes: UnsafeRawBufferPointer
    private var position: Int
    private let end: Int

    init(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) {
        self.bytes = bytes
        position = range.lowerBound
        end = range.upperBound
    }

    /// The next literal field; nil at the end of the block, and where it is malformed, which nghttp2 will say.
    mutating func nextLiteral() -> Literal? {
        while position < end {
            let first = bytes[position]
            if first & 0x80 != 0 {
                guard integer(7) != nil else { return nil }
            } else if first & 0xe0 == 0x20 {
                guard integer(5) != nil else { return nil }
            } else {
                let isIndexed = first & 0x40 != 0
                guard let name = integer(isIndexed ? 6 : 4) else { return nil }
                if name == 0 { guard string() != nil else { return nil } }
                guard let value = string() else { return nil }
                return Literal(name: name, isIndexed: isIndexed, value: value)
            }
        }
        return nil
    }

    /// A number in the lowest bits of the next byte, and in further bytes where it does not fit (RFC 7541, 5.1).
    private mutating func integer(_ bits: Int) -> Int? {
        guard position < end else { return nil }
        let mask = 1 << bits - 1
        var value = Int(bytes[position]) & mask
        position += 1
        guard value == mask else { return value }
        var shift = 0
        while position < end, shift <= 28 {
            let byte = Int(bytes[position])
            position += 1
            value += (byte & 0x7f) << shift
            if byte & 0x80 == 0 { return value }
            shift += 7
        }
        return nil
    }

    private mutating func string() -> Range<Int>? {
        let start = position
        guard let length = integer(7), length <= end - position else { return nil }
        position += length
        return start..<position
    }
}
