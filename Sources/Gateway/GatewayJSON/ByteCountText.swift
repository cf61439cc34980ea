/// A number of bytes as users write it: `268435456`, `512KiB`, `256MiB`, `2GiB`.
package enum ByteCountText {
    /// The form of a number of bytes, for messages.
    package static let form = "a number of bytes such as 268435456, 256MiB or 2GiB"

    private static let units: [(suffix: String, shift: Int)] = [("KiB", 10), ("MiB", 20), ("GiB", 30)]

    /// Nil for other text, and for more than an `Int` holds.
    package static func bytes(of text: some StringProtocol) -> Int? {
        let unit = units.first { text.hasSuffix($0.suffix) }
        let digits = text.dropLast(unit?.suffix.count ?? 0)
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(digits) else {
            return nil
        }
        let (bytes, isTooLarge) = number.multipliedReportingOverflow(by: 1 << (unit?.shift ?? 0))
        return isTooLarge ? nil : bytes
    }
}
