import PayloadJSON

/// The forms of the names and the link in a personalized push. Encoder and rules use the same.
enum PersonalizedText {
    /// The most characters of a name.
    static let maximumNameLength = 80

    /// The context keys that say who the person is. The app knows that, and a push must not say otherwise.
    static let identityKeys: Set<String> = ["individualId", "profileId", "unifiedIndividualId", "dataspace"]

    /// Whether it is the name of a personalization point or a context key: 1 to 80 letters, digits, `_`, `-` and `.`.
    static func isName(_ text: String) -> Bool {
        (1...maximumNameLength).contains(text.utf8.count) && text.utf8.allSatisfy { isNameByte($0) }
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."):
            true
        default: false
        }
    }

    /// What an app refuses in a link, as the end of a sentence that begins with the link; nil for a link that it may follow.
    ///
    /// An app follows a link only with `https`, to a host that it lists, and without a way around its rules.
    static func problem(ofLink text: String) -> String? {
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "\\") }) else {
            return "has a character that a URL must percent-encode"
        }
        let scheme = "https://"
        guard text.utf8.count > scheme.utf8.count, text.prefix(scheme.count).lowercased() == scheme else {
            return "does not begin with https://"
        }
        let rest = text.dropFirst(scheme.count)
        let authority = rest.prefix { !"/?#".contains($0) }
        guard !authority.contains("@") else { return "has a user before its host" }
        guard let first = authority.first, first != ":" else { return "has no host" }
        guard let path = decoded(rest.dropFirst(authority.count).prefix { !"?#".contains($0) }) else {
            return "has a % without two hexadecimal digits"
        }
        guard !path.split(separator: UInt8(ascii: "/")).contains(Array("..".utf8)[...]) else {
            return "has .. in its path"
        }
        return nil
    }

    /// Percent-decoded once; nil for a `%` without two hexadecimal digits.
    private static func decoded(_ text: Substring) -> [UInt8]? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        Character(UnicodeScalar(byte)).hexDigitValue.map { UInt8($0) }
    }
}

extension InspectedNotification {
    /// The object `personalization`; nil if the payload has none, or is not a personalized push.
    var personalization: JSONIndex? {
        guard let type = self[.type], document.isString(type, "PERSONALIZED") else { return nil }
        return document.member("personalization", of: .root)
    }

    /// A member of `personalization` that is not null.
    func personalized(_ key: StaticString) -> JSONIndex? {
        guard let object = personalization, document.isObject(object) else { return nil }
        return document.member(key, of: object).flatMap { document.kind(of: $0) == .null ? nil : $0 }
    }
}
