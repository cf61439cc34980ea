/// A request to a simulated service, independent of the HTTP server.
package struct ServiceRequest: Hashable, Sendable {
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
    package var addressBytes: Int { path.utf8.count + (query.isEmpty ? 0 : query.utf8.count + 1) }

    /// The size with headers, each counted as name, value, colon, space and line end.
    package var headBytes: Int {
        headers.reduce(addressBytes) { $0 + $1.key.utf8.count + $1.value.utf8.count + 4 }
    }

    /// The media type without its parameters, in lower case; nil if there is none.
    package var mediaType: String? {
        headers["content-type"]?.prefix { $0 != ";" }.lowercased().filter { !$0.isWhitespace }
    }

    /// The first value of a parameter of the query, decoded; nil if it is absent or not UTF-8 in percent-encoding.
    package func parameter(_ name: String) -> String? { FormText.value(of: name, in: query) }

    /// The first value of a parameter in a form body.
    package func formParameter(_ name: String) -> String? {
        FormText.value(of: name, in: String(decoding: body, as: UTF8.self))
    }
}
