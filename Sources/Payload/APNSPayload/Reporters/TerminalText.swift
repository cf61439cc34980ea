import PayloadJSON

/// Makes text from the input safe for a terminal: it cannot move the cursor, change colours or reverse the text
/// direction.
struct TerminalText {
    private(set) var text = ""
    /// The width in columns of a terminal.
    private(set) var width = 0

    static let tabWidth = 4

    /// Makes bytes safe that should be UTF-8.
    init(_ bytes: ArraySlice<UInt8> = []) {
        append(bytes)
    }

    static func safe(_ text: String) -> String {
        if text.utf8.allSatisfy(isPlain) { return text }
        var safe = TerminalText()
        for scalar in text.unicodeScalars { safe.append(scalar) }
        return safe.text
    }

    mutating func append(_ bytes: ArraySlice<UInt8>) {
        if bytes.allSatisfy(TerminalText.isPlain) {
            text += String(decoding: bytes, as: UTF8.self)
            width += bytes.count
            return
        }
        // Decoding replaces bytes that are not UTF-8 by U+FFFD.
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars { append(scalar) }
    }

    /// Whether a byte is printable ASCII, which has one column. Without this check, looking up each such character in
    /// the Unicode tables took two thirds of the time of a report.
    private static func isPlain(_ byte: UInt8) -> Bool { 0x20..<0x7F ~= byte }

    mutating func append(_ scalar: Unicode.Scalar) {
        switch scalar.value {
        case 0x09:
            text += String(repeating: " ", count: TerminalText.tabWidth)
            width += TerminalText.tabWidth
        case 0..<0x20: show(Unicode.Scalar(0x2400 + scalar.value))
        case 0x7F: show("\u{2421}")
        case 0x80..<0xA0, 0x2028, 0x2029: show("\u{FFFD}")
        default:
            // Invisible format characters can reverse the text direction or hide text, except for the joiner in emoji.
            if scalar.properties.generalCategory == .format, scalar.value != 0x200D {
                show("\u{FFFD}")
            } else {
                text.unicodeScalars.append(scalar)
                width += TerminalText.width(of: scalar)
            }
        }
    }

    private mutating func show(_ scalar: Unicode.Scalar?) {
        text.unicodeScalars.append(scalar ?? "\u{FFFD}")
        width += 1
    }

    /// The columns of one scalar: two in the wide blocks of Unicode's East Asian Width. Terminals differ about other
    /// characters.
    private static func width(of scalar: Unicode.Scalar) -> Int {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: break
        }
        switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF,
            0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD:
            return 2
        default: return scalar.properties.isEmojiPresentation ? 2 : 1
        }
    }
}
