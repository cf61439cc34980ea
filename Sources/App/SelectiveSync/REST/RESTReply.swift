import PushDispatch

/// A reply of the server. `BoundedHTTP` has limited its size.
package struct RESTReply: Hashable, Sendable {
    /// The headers that are read.
    static let headersOfInterest = ["content-type", "date", "retry-after", "sforce-limit-info"]

    package var status: Int
    /// Names in lower case.
    package var headers: [String: String]
    package var body: [UInt8]

    package init(status: Int, headers: [String: String] = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The time of the server's clock when it answered, in whole seconds.
    package var date: ServerDate? { headers["date"].flatMap { ServerDate(httpDate: $0) } }

    /// How many of the day's calls are used.
    package var limitInfo: LimitInfo? { headers["sforce-limit-info"].flatMap { LimitInfo($0) } }

    /// The wait that the server demands, in seconds or as a date of its own clock; limited to a day.
    package var retryAfterMilliseconds: Int64? {
        guard let text = headers["retry-after"]?.trimmingSpaces, !text.isEmpty else { return nil }
        let wait: Int64
        if text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
            wait = text.utf8.count > 9 ? .max : (Int64(text) ?? 0) * 1_000
        } else if let then = ServerDate(httpDate: text), let date {
            wait = then.millisecondsSince1970 - date.millisecondsSince1970
        } else {
            return nil
        }
        return min(max(0, wait), ServerDate.dayMilliseconds)
    }
}

// The body.
extension RESTReply {
    /// - Throws: The server's refusal, for every status outside 200 to 299.
    func checkStatus() throws(FetchError) {
        guard !(200..<300).contains(status) else { return }
        var refusal = ServerRefusal.read(status: status, body: body)
        refusal.retryAfterMilliseconds = retryAfterMilliseconds
        throw refusal
    }

    /// The JSON of a successful reply.
    ///
    /// - Throws: A refusal, or `badReply` for another media type, invalid JSON, and an error with a success status.
    func json(_ limits: JSONLimits) throws(FetchError) -> JSONValue {
        try checkStatus()
        if let type = headers["content-type"], !RESTReply.isJSON(type) {
            throw bad("the reply is \(RESTReply.shown(type)) instead of JSON")
        }
        let value: JSONValue
        do throws(JSONReadError) {
            value = try JSONReader.read(body, limits: limits)
        } catch {
            throw bad("the reply is \(error)")
        }
        if let first = value.array?.first?.object, first["attributes"] == nil, first["errorCode"]?.string != nil {
            throw bad("the reply is an error with a success status")
        }
        return value
    }

    func object(_ limits: JSONLimits) throws(FetchError) -> [String: JSONValue] {
        let value = try json(limits)
        guard let members = value.object else { throw bad("the reply is \(value.kindInWords); an object is wanted") }
        return members
    }

    func bad(_ detail: String) -> FetchError {
        FetchError(.badReply, status: status, advice: .retryLater, detail)
    }

    private static func isJSON(_ type: String) -> Bool {
        let kind = type.prefix { $0 != ";" }.lowercased().trimmingSpaces
        return kind == "application/json" || (kind.hasPrefix("application/") && kind.hasSuffix("+json"))
    }

    /// The media type. Any other content of the header is not shown, because it could be anything.
    private static func shown(_ type: String) -> String {
        let kind = type.prefix { $0 != ";" }.lowercased().trimmingSpaces
        let isPlain =
            (1...40).contains(kind.utf8.count) && kind.utf8.contains(UInt8(ascii: "/"))
            && kind.utf8.allSatisfy { (0x61...0x7a).contains($0) || (0x2b...0x39).contains($0) }
        return isPlain ? kind : "of another type"
    }
}

extension StringProtocol {
    /// Without the spaces and tabs at both ends.
    var trimmingSpaces: String {
        let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        return String(String(drop(while: isSpace).reversed()).drop(while: isSpace).reversed())
    }
}
