/// Builds paths of the interface, and checks names so that none can change the meaning of a path.
enum RESTPath {
    /// `/services/data/v66.0/` followed by `rest`.
    ///
    /// - Throws: `badRequest` for a version of another form.
    static func data(_ version: String, _ rest: String) throws(FetchError) -> String {
        guard isVersion(version) else {
            throw FetchError(.badRequest, advice: .stop, "the API version is not of the form v66.0")
        }
        return "/services/data/\(version)/\(rest)"
    }

    /// - Throws: `badRequest` for a name with other characters than letters, digits and `_`.
    static func object(_ name: String) throws(FetchError) -> String {
        guard isName(name) else {
            throw FetchError(.badRequest, advice: .stop, "the object's name is not made of letters, digits and _")
        }
        return name
    }

    /// The path of the record whose external id field has `value`.
    static func external(_ version: String, _ name: String, _ field: String, _ value: String) throws(FetchError)
        -> String
    {
        // An empty value, or one of only dots, would name another resource.
        guard (1...255).contains(value.utf8.count), value.contains(where: { $0 != "." }) else {
            throw FetchError(.badRequest, advice: .stop, "an external id has 1 to 255 bytes")
        }
        return try data(version, "sobjects/\(object(name))/\(object(field))/\(RESTCall.encoded(value))")
    }

    /// Whether the address of a next page is a plain path under `/services/data/`. It cannot lead to another host or service
    /// then.
    static func isNext(_ text: String) -> Bool {
        guard (1...2_048).contains(text.utf8.count), text.hasPrefix("/services/data/") else { return false }
        return text.dropFirst().split(separator: "/", omittingEmptySubsequences: false).allSatisfy { part in
            !part.isEmpty && part != "." && part != ".." && part.utf8.allSatisfy(isPlain)
        }
    }

    private static func isName(_ text: String) -> Bool {
        (1...80).contains(text.utf8.count) && text.utf8.allSatisfy { isLetterOrDigit($0) || $0 == UInt8(ascii: "_") }
    }

    private static func isVersion(_ text: String) -> Bool {
        let parts = text.dropFirst().split(separator: ".", omittingEmptySubsequences: false)
        return text.hasPrefix("v") && parts.count == 2
            && parts.allSatisfy { (1...3).contains($0.utf8.count) && $0.utf8.allSatisfy(isDigit) }
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        isLetterOrDigit(byte)
            || [UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~")].contains(byte)
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
