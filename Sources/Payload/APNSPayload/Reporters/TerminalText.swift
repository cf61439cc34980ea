import PayloadJSON

/// Text from outside as a terminal may show it: nothing in it moves the cursor, changes a colour or turns the direction
/// of reading.
struct TerminalText {
    private(set) var text = ""
    /// In columns of a terminal.
    private(set) var width = 0

    static let tabWidth = 4

    /// Shows bytes that should be UTF-8.
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
        // Decoding puts U+FFFD where the bytes are not UTF-8.
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars { append(scalar) }
    }

    /// ASCII that shows itself in one column. Asking Unicode's tables about each such character took two thirds of a report.
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
            // Invisible format characters turn the direction of reading or hide text, save the joiner of emoji.
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

    /// Columns of one scalar after Unicode's East Asian Width, in its wide blocks; terminals differ about the rest.
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
