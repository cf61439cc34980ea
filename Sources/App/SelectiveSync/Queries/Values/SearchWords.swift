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

    package static func words(of values: [FieldValue]) -> String {
        values.flatMap { value -> [String] in
            switch value {
            case .text(let text): words(of: text)
            case .integer(let integer): words(of: String(integer))
            case .number(let number): words(of: "\(number)")
            case .none: []
            }
        }.joined(separator: " ")
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
