import PayloadJSON

/// A text that the device takes from the app's strings file, by the keys that name it and its arguments.
struct LocalizedText: Sendable {
    let key: KnownKey
    let arguments: KnownKey

    static let all = [
        LocalizedText(key: .alertTitleLocKey, arguments: .alertTitleLocArgs),
        LocalizedText(key: .alertSubtitleLocKey, arguments: .alertSubtitleLocArgs),
        LocalizedText(key: .alertLocKey, arguments: .alertLocArgs),
        LocalizedText(key: .titleLocKey, arguments: .titleLocArgs),
        LocalizedText(key: .bodyLocKey, arguments: .bodyLocArgs),
    ]

    /// What a format has places for.
    struct Placeholders: Hashable, Sendable {
        /// How many arguments its `%@` and `%1$@` need.
        var objects = 0
        /// Placeholders for something else than a string, as they are written.
        var others: [String] = []
    }

    /// A percent sign that nothing follows which could be a place counts as one of the text.
    static func placeholders(in format: String) -> Placeholders {
        let text = Array(format.utf8)
        var placeholders = Placeholders()
        var inOrder = 0
        var position = 0
        while let start = text[position...].firstIndex(of: UInt8(ascii: "%")) {
            var end = start + 1
            var number = 0
            while end < text.count, 0x30...0x39 ~= text[end], number < 1000 {
                number = number * 10 + Int(text[end] - 0x30)
                end += 1
            }
            let isNumbered = number > 0 && end < text.count && text[end] == UInt8(ascii: "$")
            if isNumbered { end += 1 } else { end = start + 1 }
            let lengths = end
            while end < text.count, text[end] == UInt8(ascii: "l") { end += 1 }
            guard end < text.count else { break }
            position = end + 1
            switch text[end] {
            case UInt8(ascii: "@") where end == lengths:
                if isNumbered { placeholders.objects = max(placeholders.objects, number) } else { inOrder += 1 }
            case UInt8(ascii: "d"), UInt8(ascii: "i"), UInt8(ascii: "u"), UInt8(ascii: "f"), UInt8(ascii: "s"):
                placeholders.others.append(String(decoding: text[start...end], as: UTF8.self))
            case UInt8(ascii: "%") where end == start + 1: break
            default: position = start + 1
            }
        }
        placeholders.objects = max(placeholders.objects, inOrder)
        return placeholders
    }
}

extension InspectedNotification {
    /// The text of the key that names a localized text; nil where it has no place for an argument, as most have not.
    func format(_ key: JSONIndex) -> String? {
        guard document.kind(of: key) == .string, document.mayContain(key, UInt8(ascii: "%")) else { return nil }
        return document.string(of: key)
    }
}
