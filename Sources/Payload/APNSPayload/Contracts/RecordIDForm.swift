import PayloadJSON

/// Whether a string has the form of a record id (docs/reference/selective-sync.md section 5).
enum RecordIDForm: Hashable, Sendable {
    case right
    /// 18 characters of which the last three do not match the case of the others.
    case wrongSuffix
    case none

    init(_ text: String) {
        var text = text
        self = text.withUTF8 { RecordIDForm($0) }
    }

    /// Reads the bytes of the payload without a string for each id, because there may be hundreds.
    init(_ value: JSONIndex, of document: borrowing JSONDocument) {
        let range = document.range(of: value)
        guard document.kind(of: value) == .string, range.count >= 17 else {
            self = .none
            return
        }
        self = document.bytes.withUnsafeBufferPointer { bytes in
            RecordIDForm(UnsafeBufferPointer(rebasing: bytes[range.lowerBound + 1..<range.upperBound - 1]))
        }
        // An id with an escape must be decoded before it can be checked.
        if self == .none, let text = document.string(of: value), text.utf8.count < range.count - 2 {
            self = RecordIDForm(text)
        }
    }

    private init(_ text: UnsafeBufferPointer<UInt8>) {
        guard let start = text.baseAddress, text.count == 15 || text.count == 18 else {
            self = .none
            return
        }
        func word(_ place: Int) -> ASCIIWord { ASCIIWord(at: UnsafeRawPointer(start + place)) }
        func isRight(_ word: ASCIIWord) -> Bool { word.isASCII && word.lettersAndDigits == ASCIIWord.all }
        let (first, second) = (word(0), word(7))
        guard isRight(first), isRight(second), text.count == 15 || isRight(word(10)) else {
            self = .none
            return
        }
        let isSuffixRight =
            text.count == 15 || RecordIDForm.hasSuffix(text, ofCapitals: RecordIDForm.capitals(first, second))
        self = isSuffixRight ? .right : .wrongSuffix
    }

    /// One bit for each of the first 15 characters that is a capital letter.
    ///
    /// - Parameter second: The word that begins with the eighth character.
    private static func capitals(_ first: ASCIIWord, _ second: ASCIIWord) -> UInt64 {
        let letters = UInt8(ascii: "A")...UInt8(ascii: "Z")
        return ASCIIWord.bits(of: first.bytes(in: letters)) | ASCIIWord.bits(of: second.bytes(in: letters)) << 7
    }

    private static func hasSuffix(_ text: UnsafeBufferPointer<UInt8>, ofCapitals capitals: UInt64) -> Bool {
        for group in 0..<3 {
            let number = UInt8(truncatingIfNeeded: capitals >> UInt64(5 * group) & 31)
            let letter = number < 26 ? UInt8(ascii: "a") + number : UInt8(ascii: "0") + number - 26
            // A letter in either case; a digit has this bit.
            guard text[15 + group] | 0x20 == letter else { return false }
        }
        return true
    }
}
