/// A call of the org's REST interface, independent of the HTTP server.
package struct OrgRequest: Hashable, Sendable {
    /// In upper case.
    package var method: String
    /// Without the query, still percent-encoded.
    package var path: String
    /// What follows the first `?`, still percent-encoded; empty if there is none.
    package var query: String
    /// Names in lower case.
    package var headers: [String: String]
    package var body: [UInt8]

    package init(
        _ method: String, _ path: String, query: String = "", headers: [String: String] = [:], body: [UInt8] = []
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.headers = headers
        self.body = body
    }

    /// The size of path and query. The host is not counted, because some servers do not report it.
    var addressBytes: Int { path.utf8.count + (query.isEmpty ? 0 : query.utf8.count + 1) }

    /// The size with headers, each counted as name, value, colon, space and line end.
    var headBytes: Int { headers.reduce(addressBytes) { $0 + $1.key.utf8.count + $1.value.utf8.count + 4 } }

    /// The first value of a parameter, decoded, with `+` as a space; nil if it is absent or not UTF-8 in
    /// percent-encoding.
    func parameter(_ name: String) -> String? { OrgRequest.parameter(name, in: query) }

    /// The first value of a parameter in a form body.
    func formParameter(_ name: String) -> String? {
        OrgRequest.parameter(name, in: String(decoding: body, as: UTF8.self))
    }

    private static func parameter(_ name: String, in form: String) -> String? {
        for part in form.split(separator: "&") {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if pair.count == 2, OrgRequest.decoded(pair[0]) == name { return OrgRequest.decoded(pair[1]) }
        }
        return nil
    }

    /// - Parameter plus: What `+` stands for: a space in a query, itself in a path.
    static func decoded(_ text: Substring, plus: Unicode.Scalar = " ") -> String? {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "+"): bytes.append(UInt8(ascii: plus))
            case UInt8(ascii: "%"):
                guard let high = rest.popFirst().flatMap(hexDigit), let low = rest.popFirst().flatMap(hexDigit) else {
                    return nil
                }
                bytes.append(high << 4 | low)
            default: bytes.append(byte)
            }
        }
        let text = String(decoding: bytes, as: UTF8.self)
        // Decoding replaces invalid UTF-8, so the result differs from the input.
        return text.utf8.elementsEqual(bytes) ? text : nil
    }

    private static func hexDigit(_ byte: UInt8) -> UInt8? {
        byte < 0x80 ? Character(Unicode.Scalar(byte)).hexDigitValue.map(UInt8.init) : nil
    }
}
