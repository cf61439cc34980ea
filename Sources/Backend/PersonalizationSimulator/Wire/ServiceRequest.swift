/// A request to the service's port, independent of the HTTP server.
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

    /// The media type without its parameters, in lower case; nil if there is none.
    var mediaType: String? {
        headers["content-type"]?.prefix { $0 != ";" }.lowercased().filter { !$0.isWhitespace }
    }

    /// The first value of a parameter of the query, decoded.
    func parameter(_ name: String) -> String? { URLQuery.parameters(of: "?" + query)[name] }
}
