import PushDispatch

/// What came back, bounded before it gets here.
package struct RESTReply: Hashable, Sendable {
    /// The headers that anything here looks at.
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

    /// The server's clock when it answered, to the second.
    package var date: ServerDate? { headers["date"].flatMap { HTTPDate.read($0) } }

    /// How much of the day's calls is used.
    package var limitInfo: LimitInfo? { headers["sforce-limit-info"].flatMap { LimitInfo($0) } }

    /// How long the server wants to be left alone: seconds, or a date by its own clock. At most a day.
    package var retryAfterMilliseconds: Int64? {
        guard let text = headers["retry-after"]?.trimmingSpaces, !text.isEmpty else { return nil }
        let wait: Int64
        if text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
            wait = text.utf8.count > 9 ? .max : (Int64(text) ?? 0) * 1_000
        } else if let then = HTTPDate.read(text), let date {
            wait = then.millisecondsSince1970 - date.millisecondsSince1970
        } else {
            return nil
        }
        return min(max(0, wait), ServerDate.dayMilliseconds)
    }
}

// MARK: - The body

extension RESTReply {
    /// - Throws: What the server's refusal means, for every status outside 200 to 299.
    func checkStatus() throws(FetchError) {
        guard !(200..<300).contains(status) else { return }
        var refusal = ServerRefusal.read(status: status, body: body)
        refusal.retryAfterMilliseconds = retryAfterMilliseconds
        throw refusal
    }

    /// The JSON of a success.
    ///
    /// - Throws: A refusal; `badReply` for a body of another type, for what is not JSON, and for an error that comes
    ///   under a good status.
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
            throw bad("an error came as if it were a success")
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

    /// A media type as such, anything else without its words.
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
