import APNSModel

extension ChannelID {
    /// 16 random bytes (docs/reference/apns.md 11, row 35).
    ///
    /// - Parameter isASCII: Whether the bytes are letters, digits, `+` and `/` only.
    init(using generator: inout some RandomNumberGenerator, isASCII: Bool = false) {
        let words = [generator.next(), generator.next()]
        var bytes = words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * $0)) } }
        if isASCII { bytes = bytes.map { Base64.alphabet[Int($0 & 63)] } }
        self.init(bytes: bytes)
    }
}
