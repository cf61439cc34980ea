/// What exactly is wrong, found out only once something is.
extension JSONParser {
    /// Throws where the first bytes say that the text is not plain UTF-8. Without a mark, a zero byte among the first
    /// two says UTF-16 or UTF-32, since JSON begins with an ASCII character.
    func checkEncodingMarks() throws(JSONSyntaxError) {
        guard count >= 2 else { return }
        switch (base[0], base[1]) {
        case (0xEF, 0xBB) where count >= 3 && base[2] == 0xBF: throw error(.byteOrderMark, at: 0)
        case (0xFE, 0xFF), (0xFF, 0xFE), (0, _), (_, 0): throw error(.utf16, at: 0)
        default: return
        }
    }

    var isComment: Bool {
        position + 1 < count && base[position] == UInt8(ascii: "/")
            && (base[position + 1] == UInt8(ascii: "/") || base[position + 1] == UInt8(ascii: "*"))
    }

    /// Why no value begins at the cursor.
    func wrongValue() -> JSONSyntaxError {
        switch base[position] {
        case UInt8(ascii: "'"): error(.singleQuotes)
        case UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: ":"): error(.missingValue)
        case UInt8(ascii: "+"): error(.leadingPlus)
        case UInt8(ascii: "."): error(.missingDigits)
        case UInt8(ascii: "N") where begins("NaN"), UInt8(ascii: "I") where begins("Infinity"): error(.notANumber)
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): error(.unknownWord)
        default: wrongCharacter()
        }
    }

    /// Why no key begins at the cursor.
    func wrongKey() -> JSONSyntaxError {
        switch base[position] {
        case UInt8(ascii: "'"): error(.singleQuotes)
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"),
            UInt8(ascii: "$"):
            error(.unquotedKey)
        case UInt8(ascii: "]"): error(.mismatchedBracket)
        default: isComment || base[position] >= 0x80 ? wrongCharacter() : error(.missingKey)
        }
    }

    private func wrongCharacter() -> JSONSyntaxError {
        if isComment { return error(.comment) }
        let length = UTF8Form.length(of: UnsafeBufferPointer(start: base, count: count), at: position)
        return error(length == 0 ? .notUTF8 : .unexpectedCharacter)
    }

    private func begins(_ word: StaticString) -> Bool {
        position + word.utf8CodeUnitCount <= count
            && (0..<word.utf8CodeUnitCount).allSatisfy { base[position + $0] == word.utf8Start[$0] }
    }
}
