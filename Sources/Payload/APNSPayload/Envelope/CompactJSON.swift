/// Removes insignificant white space from JSON.
package enum CompactJSON {
    /// The value in `range` of well-formed JSON in compact form, and the ranges that were left out.
    package static func compact(_ source: [UInt8], in range: Range<Int>) -> (bytes: [UInt8], omitted: [Range<Int>]) {
        var omitted: [Range<Int>] = []
        var isInString = false
        var position = range.lowerBound
        while position < range.upperBound {
            switch source[position] {
            case UInt8(ascii: "\""): isInString.toggle()
            case UInt8(ascii: "\\"): position += 1
            case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"):
                guard !isInString else { break }
                if let last = omitted.last, last.upperBound == position {
                    omitted[omitted.count - 1] = last.lowerBound..<position + 1
                } else {
                    omitted.append(position..<position + 1)
                }
            default: break
            }
            position += 1
        }
        return (bytes(source, in: range, omitting: omitted), omitted)
    }

    /// A value of well-formed JSON in compact form.
    static func bytes(of source: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: source.count) { output, count in
            var isInString = false
            var position = 0
            while position < source.count {
                let byte = source[position]
                position += 1
                switch byte {
                case UInt8(ascii: "\""): isInString.toggle()
                case UInt8(ascii: "\\"):
                    // Only in a string. The character after it is not the quote that ends the string.
                    output[count] = byte
                    count += 1
                    output[count] = source[position]
                    count += 1
                    position += 1
                    continue
                case 0...UInt8(ascii: " "):
                    guard isInString else { continue }
                default: break
                }
                output[count] = byte
                count += 1
            }
        }
    }

    /// The bytes of `range` without the ranges `omitted`, which are sorted.
    static func bytes(_ source: [UInt8], in range: Range<Int>, omitting omitted: [Range<Int>]) -> [UInt8] {
        guard !omitted.isEmpty || range != source.indices else { return source }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(range.count)
        var position = range.lowerBound
        for cut in omitted {
            bytes += source[position..<cut.lowerBound]
            position = cut.upperBound
        }
        bytes += source[position..<range.upperBound]
        return bytes
    }
}
