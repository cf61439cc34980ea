/// Where a text is not JSON, and why.
package struct JSONSyntaxError: Error, Hashable, Sendable {
    /// The first wrong byte, counted from 0; the length of the text where something is missing at its end.
    package var offset: Int
    package var reason: Reason

    package init(offset: Int, reason: Reason) {
        self.offset = offset
        self.reason = reason
    }

    package enum Reason: Hashable, Sendable {
        case empty, unexpectedEnd, textAfterEnd
        case trailingComma, missingComma, missingColon, missingValue, missingKey, mismatchedBracket
        case singleQuotes, typographicQuotes, unquotedKey, comment, unknownWord, unexpectedCharacter
        case unterminatedString, controlCharacter, lineBreakInString, badEscape, loneSurrogate
        case notUTF8, byteOrderMark, utf16
        case leadingZero, leadingPlus, missingDigits, notANumber
        case nestingTooDeep(limit: Int)
        case tooLong
    }
}

extension JSONSyntaxError: CustomStringConvertible {
    /// A sentence without the place, which a report shows as line and column.
    package var description: String {
        switch reason {
        case .empty: "there is no JSON value, only white space"
        case .unexpectedEnd: "the text ends before the value does; is a closing bracket missing?"
        case .textAfterEnd:
            "there is more text after the end of the value; a file has one value, or a whole one on each line if its name "
                + "ends with .ndjson or .jsonl"
        case .trailingComma: "there is a comma before a closing bracket; remove it"
        case .missingComma: "a comma or a closing bracket is missing before this"
        case .missingColon: "a colon is missing between key and value"
        case .missingValue: "a value is missing here"
        case .missingKey: "a key in double quotes is missing here"
        case .mismatchedBracket: "this bracket does not close the one that is open"
        case .singleQuotes: "JSON strings have double quotes, not single quotes"
        case .typographicQuotes: "JSON strings have straight double quotes, as a keyboard types them"
        case .unquotedKey: "a key must have double quotes"
        case .comment: "JSON has no comments"
        case .unknownWord: "the only bare words in JSON are true, false and null, in lower case"
        case .unexpectedCharacter: "this character is not allowed here"
        case .unterminatedString: "the text ends inside a string, whose closing double quote is missing"
        case .controlCharacter: "a control character in a string must be written as an escape such as \\u0007"
        case .lineBreakInString: "a line break in a string must be written as \\n"
        case .badEscape:
            "there is no such escape; JSON has \\\" \\\\ \\/ \\b \\f \\n \\r \\t and \\u with four hexadecimal digits"
        case .loneSurrogate: "this escape is half of a surrogate pair, which is not a character"
        case .notUTF8: "these bytes are not UTF-8"
        case .byteOrderMark: "the text begins with a byte order mark; save it as UTF-8 without one"
        case .utf16: "the text is UTF-16 or UTF-32; save it as UTF-8"
        case .leadingZero: "a number cannot begin with a zero before more digits"
        case .leadingPlus: "a number cannot begin with a plus sign"
        case .missingDigits: "a digit is missing in this number"
        case .notANumber: "JSON has neither NaN nor Infinity"
        case .nestingTooDeep(let limit): "arrays and objects are nested deeper than \(limit) levels"
        case .tooLong: "the text has 4 GiB or more"
        }
    }
}
