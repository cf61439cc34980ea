extension String {
    /// The text without white space at its ends.
    ///
    /// - Parameter isSpace: What counts as white space.
    func trimmed(of isSpace: (Unicode.Scalar) -> Bool = { $0.properties.isWhitespace }) -> String {
        var scalars = unicodeScalars[...]
        while let first = scalars.first, isSpace(first) { scalars.removeFirst() }
        while let last = scalars.last, isSpace(last) { scalars.removeLast() }
        return String(scalars)
    }

    /// The digits of a whole number, also with white space around it or with zeros behind a point: "10" for "10.0 ". Nil for
    /// anything else.
    var wholeNumberDigits: String? {
        let parts = trimmed().split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
            parts.dropFirst().allSatisfy({ $0.utf8.allSatisfy { $0 == UInt8(ascii: "0") } })
        else { return nil }
        return String(parts[0])
    }
}
