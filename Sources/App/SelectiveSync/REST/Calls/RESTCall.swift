/// One call of the CRM's REST interface, without host and access token. No I/O.
package struct RESTCall: Hashable, Sendable {
    package enum Method: String, Hashable, Sendable {
        case get = "GET"
        case post = "POST"
        case patch = "PATCH"
        case delete = "DELETE"
    }

    package var method: Method
    /// Starts with `/services/`; contains only characters that need no encoding.
    package var path: String
    /// Percent-encoded, without the `?`; empty for none.
    package var query = ""
    /// Headers other than `Authorization`, `Accept` and `Content-Type`.
    package var headers: [String: String] = [:]
    /// JSON; empty for none.
    package var body: [UInt8] = []

    package init(_ method: Method, _ path: String) {
        self.method = method
        self.path = path
    }

    package var target: String { query.isEmpty ? path : "\(path)?\(query)" }

    /// The server accepts 16,384 bytes of address and headers together (docs/reference/selective-sync.md 6.6). A quarter is
    /// reserved for the host and the headers, of which the access token is the longest.
    static let maximumTargetBytes = 12_288

    var isTooLong: Bool { path.utf8.count + query.utf8.count + 1 > RESTCall.maximumTargetBytes }

    /// `name=value` pairs. Everything is encoded except letters, digits and `-._~`.
    static func query(_ pairs: [(String, String)]) -> String {
        pairs.map { "\(encoded($0.0))=\(encoded($0.1))" }.joined(separator: "&")
    }

    static func encoded(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            if isUnreserved(byte) {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
