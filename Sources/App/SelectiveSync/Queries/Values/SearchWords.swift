import Foundation
package import PushDispatch

/// The words of a text, for the full-text search: letters and digits without case and accents.
///
/// Everything between them separates words. Each Chinese or Japanese ideograph is a word, because these scripts write no spaces.
package enum SearchWords {
    /// The rest of a longer word is not searched.
    static let maximumLength = 64

    package static func words(of text: String) -> [String] {
        var words: [String] = []
        var word = String.UnicodeScalarView()
        func end() {
            guard !word.isEmpty else { return }
            words.append(String(word))
            word = String.UnicodeScalarView()
        }
        let isASCII = text.utf8.allSatisfy { $0 < 0x80 }
        for scalar in (isASCII ? text : text.decomposedStringWithCanonicalMapping).unicodeScalars {
            if isSkipped(scalar) { continue }
            guard isPart(scalar) else {
                end()
                continue
            }
            if scalar.properties.isIdeographic { end() }
            for lower in scalar.properties.lowercaseMapping.unicodeScalars
            where word.count < maximumLength && !isSkipped(lower) {
                word.append(lower)
            }
            if scalar.properties.isIdeographic { end() }
        }
        end()
        return words
    }

    /// The words of several fields, separated by spaces; empty if there are none.
    package static func words(of fields: [RecordField], in record: [String: JSONValue]) -> String {
        words(of: fields.map { $0.value(in: record) })
    }

    private static func words(of values: [FieldValue]) -> String {
        values.flatMap(words(of:)).joined(separator: " ")
    }

    private static func words(of value: FieldValue) -> [String] {
        switch value {
        case .text(let text): words(of: text)
        case .integer(let integer): words(of: String(integer))
        case .number(let number): words(of: "\(number)")
        case .none: []
        }
    }

    /// Appends the words of one more field, with spaces between all words.
    package static func append(_ field: FieldScanner.Found, to text: inout [UInt8]) {
        if case .plain(let bytes) = field, bytes.allSatisfy({ $0 < 0x80 }) { return append(ascii: bytes, to: &text) }
        for word in words(of: field.value) {
            if !text.isEmpty { text.append(UInt8(ascii: " ")) }
            text.append(contentsOf: word.utf8)
        }
    }

    private static func append(ascii bytes: UnsafeBufferPointer<UInt8>, to text: inout [UInt8]) {
        var length = 0
        for byte in bytes {
            let part: UInt8
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): part = byte
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): part = byte | 0x20
            default:
                length = 0
                continue
            }
            if length == 0, !text.isEmpty { text.append(UInt8(ascii: " ")) }
            length += 1
            if length <= maximumLength { text.append(part) }
        }
    }

    /// Whether each word of `text` is the beginning of a word of the record. True for a text without words.
    static func matches(_ text: String, _ fields: [RecordField], in record: [String: JSONValue]) -> Bool {
        let words = words(of: fields, in: record).split(separator: " ")
        return SearchWords.words(of: text).allSatisfy { wanted in
            words.contains { $0.utf8.starts(with: wanted.utf8) }
        }
    }

    /// An accent.
    private static func isSkipped(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: scalar.value >= 0x80
        default: false
        }
    }

    private static func isPart(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .letterNumber, .otherNumber, .spacingMark:
            true
        default: false
        }
    }
}
