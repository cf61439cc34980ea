/// Writes elements of DER.
package enum DERWriter {
    /// An element with a tag of one byte.
    ///
    /// - Precondition: `content` is shorter than 16 MiB, the most that `DERReader` accepts.
    package static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        precondition(content.count < 1 << 24, "a DER element of \(content.count) bytes")
        let count = content.count
        let length: [UInt8] =
            switch count {
            case 0..<0x80: [UInt8(count)]
            case 0x80..<0x100: [0x81, UInt8(count)]
            case 0x100..<0x10000: [0x82, UInt8(count >> 8), UInt8(count & 0xff)]
            default: [0x83, UInt8(count >> 16), UInt8(count >> 8 & 0xff), UInt8(count & 0xff)]
            }
        return [tag] + length + content
    }
}
