/// Finds the reason for an error. This runs only after an error was found.
extension JSONParser {
    func error(_ reason: JSONSyntaxError.Reason, at offset: Int) -> JSONSyntaxError {
        JSONSyntaxError(offset: offset, reason: reason)
    }

    /// Throws if the first bytes are a byte order mark or belong to UTF-16 or UTF-32. JSON begins with an ASCII character,
    /// so a zero byte among the first two means one of these encodings.
    func checkEncodingMarks() throws(JSONSyntaxError) {
        guard count >= 2 else { return }
        switch (base[0], base[1]) {
        case (0xEF, 0xBB) where count >= 3 && base[2] == 0xBF: throw error(.byteOrderMark, at: 0)
        case (0xFE, 0xFF), (0xFF, 0xFE), (0, _), (_, 0): throw error(.utf16, at: 0)
        default: return
        }
    }

    /// Why no value begins at `position`.
    func wrongValue(at position: Int) -> JSONSyntaxError {
        switch base[position] {
        case UInt8(ascii: "'"): error(.singleQuotes, at: position)
        case UInt8(ascii: "]") where comma(before: position) != nil:
            error(.trailingComma, at: comma(before: position) ?? position)
        case UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: ":"):
            error(.missingValue, at: position)
        case UInt8(ascii: "+"): error(.leadingPlus, at: position)
        case UInt8(ascii: "."): error(.missingDigits, at: position)
        case UInt8(ascii: "N") where begins("NaN", at: position),
            UInt8(ascii: "I") where begins("Infinity", at: position):
            error(.notANumber, at: position)
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"):
            error(.unknownWord, at: position)
        default: wrongCharacter(at: position)
        }
    }

    /// Why no key begins at `position`.
    func wrongKey(at position: Int) -> JSONSyntaxError {
        switch base[position] {
        case UInt8(ascii: "'"): error(.singleQuotes, at: position)
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"),
            UInt8(ascii: "$"):
            error(.unquotedKey, at: position)
        case UInt8(ascii: "}"): error(.trailingComma, at: comma(before: position) ?? position)
        case UInt8(ascii: "]"): error(.mismatchedBracket, at: position)
        default:
            isComment(at: position) || base[position] >= 0x80
                ? wrongCharacter(at: position) : error(.missingKey, at: position)
        }
    }

    /// Why no comma or closing bracket is at `position`, after a value of a container.
    func wrongSeparator(at position: Int) -> JSONSyntaxError {
        switch base[position] {
        case UInt8(ascii: "}"), UInt8(ascii: "]"): error(.mismatchedBracket, at: position)
        default: error(isComment(at: position) ? .comment : .missingComma, at: position)
        }
    }

    /// Why the text ends before the end of `word`: it is cut off, or it is another word.
    func cutWord(_ word: StaticString, at position: Int) -> JSONSyntaxError {
        for offset in position..<count where base[offset] != word.utf8Start[offset - position] {
            return error(.unknownWord, at: position)
        }
        return error(.unexpectedEnd, at: count)
    }

    private func wrongCharacter(at position: Int) -> JSONSyntaxError {
        if isComment(at: position) { return error(.comment, at: position) }
        let length = UTF8Form.length(of: UnsafeBufferPointer(start: base, count: count), at: position)
        if length == 0 { return error(.notUTF8, at: position) }
        // U+2018 to U+201F
        let isQuote =
            length == 3 && base[position] == 0xE2 && base[position + 1] == 0x80 && 0x98...0x9F ~= base[position + 2]
        return error(isQuote ? .typographicQuotes : .unexpectedCharacter, at: position)
    }

    private func isComment(at position: Int) -> Bool {
        position + 1 < count && base[position] == UInt8(ascii: "/")
            && (base[position + 1] == UInt8(ascii: "/") || base[position + 1] == UInt8(ascii: "*"))
    }

    private func begins(_ word: StaticString, at position: Int) -> Bool {
        position + word.utf8CodeUnitCount <= count
            && (0..<word.utf8CodeUnitCount).allSatisfy { base[position + $0] == word.utf8Start[$0] }
    }

    /// The position of a comma before `position`, with only white space between them.
    private func comma(before position: Int) -> Int? {
        var position = position
        while position > 0 {
            position -= 1
            switch base[position] {
            case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): continue
            case UInt8(ascii: ","): return position
            default: return nil
            }
        }
        return nil
    }
}
