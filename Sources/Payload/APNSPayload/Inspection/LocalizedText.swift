import PayloadJSON

/// The two keys of a text from the app's strings file: the one that names it, and the one of its arguments.
struct LocalizedText: Sendable {
    let key: KnownKey
    let arguments: KnownKey
    /// The object that both are in.
    let object: KnownKey

    static let all = [
        LocalizedText(key: .alertTitleLocKey, arguments: .alertTitleLocArgs, object: .alert),
        LocalizedText(key: .alertSubtitleLocKey, arguments: .alertSubtitleLocArgs, object: .alert),
        LocalizedText(key: .alertLocKey, arguments: .alertLocArgs, object: .alert),
        LocalizedText(key: .titleLocKey, arguments: .titleLocArgs, object: .alertTitle),
        LocalizedText(key: .bodyLocKey, arguments: .bodyLocArgs, object: .alertBody),
    ]

    /// The placeholders of a format string.
    struct Placeholders: Hashable, Sendable {
        /// How many arguments the `%@` and `%1$@` need.
        var objects = 0
        /// Placeholders for other types than strings, as they are written.
        var others: [String] = []
    }

    /// A percent sign that does not begin a placeholder is ordinary text.
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
    /// A localization key as a format string; nil if it contains no percent sign, which is the usual case.
    func format(_ key: JSONIndex) -> String? {
        guard document.kind(of: key) == .string, document.mayContain(key, UInt8(ascii: "%")) else { return nil }
        return document.string(of: key)
    }
}
