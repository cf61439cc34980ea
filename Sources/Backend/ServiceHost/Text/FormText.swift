/// Forms and queries: pairs of names and values in percent-encoding.
package enum FormText {
    /// The first value of a name, decoded; nil if it is absent or not UTF-8 in percent-encoding.
    package static func value(of name: String, in form: String) -> String? {
        for part in form.split(separator: "&") {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if pair.count == 2, decode(pair[0]) == name { return decode(pair[1]) }
        }
        return nil
    }

    /// The names of all parameters, decoded; one that is not UTF-8 in percent-encoding as it is.
    package static func names(in form: String) -> [String] {
        form.split(separator: "&").map { part in
            let name = part.prefix { $0 != "=" }
            return decode(name) ?? String(name)
        }
    }

    /// The first value of each parameter of a URL; what is not UTF-8 in percent-encoding is left out.
    ///
    /// - Parameter limit: Parameters after this many are left out.
    package static func parameters(ofURL url: String, limit: Int) -> [String: String] {
        guard let question = url.utf8.firstIndex(of: UInt8(ascii: "?")) else { return [:] }
        let query = url[url.index(after: question)...].prefix { $0 != "#" }
        var parameters: [String: String] = [:]
        for part in query.split(separator: "&", maxSplits: limit).prefix(limit) {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = decode(pair[0]), let value = pair.count == 2 ? decode(pair[1]) : "", !name.isEmpty,
                parameters[name] == nil
            else { continue }
            parameters[name] = value
        }
        return parameters
    }

    /// - Parameter plus: What `+` stands for: a space in a form or query, itself in a path.
    /// - Returns: Nil for an escape without two hexadecimal digits, and for bytes that are not UTF-8.
    package static func decode(_ text: Substring, plus: Unicode.Scalar = " ") -> String? {
        decodeBytes(text.utf8, plus: plus).flatMap { String(validating: $0, as: UTF8.self) }
    }

    package static func decodeBytes(_ text: some Collection<UInt8>, plus: Unicode.Scalar = " ") -> [UInt8]? {
        // An array, because a generic loop over the bytes is slow where it is not specialized.
        decode(bytes: Array(text), plus: UInt8(ascii: plus))
    }

    private static func decode(bytes text: [UInt8], plus: UInt8) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var index = 0
        while index < text.count {
            switch text[index] {
            case UInt8(ascii: "+"): bytes.append(plus)
            case UInt8(ascii: "%"):
                guard index + 2 < text.count, let high = digit(text[index + 1]), let low = digit(text[index + 2])
                else { return nil }
                bytes.append(high << 4 | low)
                index += 2
            case let byte: bytes.append(byte)
            }
            index += 1
        }
        return bytes
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x37
        case 0x61...0x66: byte - 0x57
        default: nil
        }
    }
}
