import APNSModel

extension ContractFormat {
    /// Whether a string has this format.
    func accepts(_ text: String) -> Bool {
        switch self {
        case .any: true
        case .recordID: RecordIDForm(text) == .right
        case .uuid: NotificationID(checking: text) != nil
        case .date: RFC3339.isDate(text.utf8[...])
        case .dateTime: RFC3339.isDateTime(text.utf8[...])
        case .url(let schemes): AbsoluteURL(text).map { schemes.isEmpty || schemes.contains($0.scheme) } ?? false
        case .hex: !text.isEmpty && text.utf8.count.isMultiple(of: 2) && text.utf8.allSatisfy(\.isHexDigit)
        case .base64: Base64.isPadded(text)
        case .oneOf(let texts): texts.contains { $0.utf8.elementsEqual(text.utf8) }
        case .pattern(let pattern): pattern.matches(text)
        }
    }
}

/// Dates and times of RFC 3339.
private enum RFC3339 {
    static func isDate(_ text: Substring.UTF8View) -> Bool {
        var text = text
        return takeDate(from: &text) && text.isEmpty
    }

    static func isDateTime(_ text: Substring.UTF8View) -> Bool {
        var text = text
        guard takeDate(from: &text), let letter = text.popFirst(), letter | 0x20 == UInt8(ascii: "t"),
            take(2, upTo: 23, from: &text) != nil, takeColon(from: &text), take(2, upTo: 59, from: &text) != nil,
            takeColon(from: &text),
            // 60 is a leap second.
            take(2, upTo: 60, from: &text) != nil
        else { return false }
        if text.first == UInt8(ascii: ".") {
            text.removeFirst()
            let digits = text.prefix { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }.count
            guard digits > 0 else { return false }
            text.removeFirst(digits)
        }
        guard let offset = text.popFirst() else { return false }
        if offset | 0x20 == UInt8(ascii: "z") { return text.isEmpty }
        guard offset == UInt8(ascii: "+") || offset == UInt8(ascii: "-"), take(2, upTo: 23, from: &text) != nil else {
            return false
        }
        _ = takeColon(from: &text)
        return take(2, upTo: 59, from: &text) != nil && text.isEmpty
    }

    private static func takeDate(from text: inout Substring.UTF8View) -> Bool {
        guard let year = take(4, upTo: 9999, from: &text), takeHyphen(from: &text),
            let month = take(2, upTo: 12, from: &text), month > 0, takeHyphen(from: &text),
            let day = take(2, upTo: 31, from: &text), day > 0
        else { return false }
        let isLeap = year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
        switch month {
        case 2: return day <= (isLeap ? 29 : 28)
        case 4, 6, 9, 11: return day <= 30
        default: return true
        }
    }

    private static func takeHyphen(from text: inout Substring.UTF8View) -> Bool { take("-", from: &text) }
    private static func takeColon(from text: inout Substring.UTF8View) -> Bool { take(":", from: &text) }

    private static func take(_ scalar: Unicode.Scalar, from text: inout Substring.UTF8View) -> Bool {
        guard text.first == UInt8(ascii: scalar) else { return false }
        text.removeFirst()
        return true
    }

    private static func take(_ count: Int, upTo limit: Int, from text: inout Substring.UTF8View) -> Int? {
        let digits = text.prefix(count)
        guard digits.count == count else { return nil }
        var number = 0
        for digit in digits {
            guard digit >= UInt8(ascii: "0"), digit <= UInt8(ascii: "9") else { return nil }
            number = number * 10 + Int(digit - UInt8(ascii: "0"))
        }
        text.removeFirst(count)
        return number <= limit ? number : nil
    }
}

/// An absolute URL by its form only: a scheme, a colon and something after it without white space (RFC 3986).
private struct AbsoluteURL {
    /// The scheme in lower case.
    let scheme: String

    init?(_ text: String) {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let scheme = text[..<colon].lowercased()
        guard let first = scheme.utf8.first, first &- UInt8(ascii: "a") < 26,
            scheme.utf8.allSatisfy({ byte in
                byte &- UInt8(ascii: "a") < 26 || byte &- UInt8(ascii: "0") < 10 || byte == UInt8(ascii: "+")
                    || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
            })
        else { return nil }
        var rest = text[colon...].dropFirst()
        guard rest.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value != 0x7F && !$0.properties.isWhitespace })
        else { return nil }
        if scheme == "http" || scheme == "https" {
            guard rest.hasPrefix("//") else { return nil }
            rest = rest.dropFirst(2)
            guard let start = rest.first, start != "/", start != "?", start != "#" else { return nil }
        }
        guard !rest.isEmpty else { return nil }
        self.scheme = scheme
    }
}
