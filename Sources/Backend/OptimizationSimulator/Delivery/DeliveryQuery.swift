import APNSModel
import PushDispatch
import ServiceHost

/// The parameters of a request for entries.
package struct DeliveryQuery: Hashable, Sendable {
    package enum Filter: Hashable, Sendable {
        case id([String])
        case field(String, [String])
    }

    package var contentType: String?
    package var include = 1
    package var skip = 0
    package var limit = OptimizationLimits.defaultPage
    /// Nil for the default locale, `*` for all.
    package var locale: String?
    package var filters: [Filter] = []

    package init() {}

    /// Reads the query; a parameter that this service does not know is refused, because it would change the result.
    init(_ query: String) throws(DeliveryError) {
        for part in query.split(separator: "&") {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = FormText.decode(pair[0]), let value = pair.count == 2 ? FormText.decode(pair[1]) : ""
            else {
                throw .badRequest("the query is not percent-encoded UTF-8")
            }
            switch name {
            case "content_type": contentType = value
            case "include": include = try DeliveryQuery.number(name, value, in: 0...OptimizationLimits.include)
            case "skip": skip = try DeliveryQuery.number(name, value, in: 0...Int(Int32.max))
            case "limit": limit = try DeliveryQuery.number(name, value, in: 0...OptimizationLimits.entriesPerPage)
            case "locale": locale = value
            case "access_token": break
            case "sys.id": filters.append(.id([value]))
            case "sys.id[in]": filters.append(.id(value.split(separator: ",").map(String.init)))
            case let field where field.hasPrefix("fields."):
                var key = String(field.dropFirst("fields.".count))
                var values = [value]
                if key.hasSuffix("[in]") {
                    key.removeLast("[in]".count)
                    values = value.split(separator: ",").map(String.init)
                }
                guard !key.isEmpty, !key.contains("["), !key.contains(".") else { throw .unknown(name) }
                filters.append(.field(key, values))
            default: throw .unknown(name)
            }
        }
    }

    private static func number(_ name: String, _ text: String, in range: ClosedRange<Int>) throws(DeliveryError) -> Int
    {
        guard let number = Int(text), range.contains(number) else {
            throw .badRequest(
                "\(name) is \(ShownText.quoted(text)); a number from \(range.lowerBound) to \(range.upperBound) is wanted"
            )
        }
        return number
    }

    func matches(_ entry: ContentEntry, _ locales: [String]) -> Bool {
        guard contentType == nil || entry.contentType == contentType else { return false }
        return filters.allSatisfy { filter in
            switch filter {
            case .id(let ids): return ids.contains(entry.id)
            case .field(let key, let values):
                guard let value = entry.values(locales, for: locale)[key] else { return false }
                // A list matches with any of its values.
                return (value.array ?? [value]).contains { ScalarText.text($0).map(values.contains) ?? false }
            }
        }
    }
}

/// Why the delivery service refuses a request.
struct DeliveryError: Error, Hashable {
    let status: Int
    /// Such as `NotFound`.
    let id: String
    /// Says what is wrong and what to do next.
    let message: String
    /// Seconds until a request is answered again.
    var pause: Int64?

    static func badRequest(_ message: String) -> DeliveryError { DeliveryError(400, "BadRequest", message) }

    static func unknown(_ parameter: String) -> DeliveryError {
        DeliveryError(
            400, "InvalidQuery",
            "the parameter \(ShownText.quoted(parameter)) is not known here; there are content_type, include, skip, limit, "
                + "locale, sys.id, sys.id[in], fields.NAME, fields.NAME[in] and access_token")
    }

    init(_ status: Int, _ id: String, _ message: String, pause: Int64? = nil) {
        self.status = status
        self.id = id
        self.message = message
        self.pause = pause
    }

    /// The id that goes with a status of a fault rule.
    static func id(of status: Int) -> String {
        switch status {
        case 400: "BadRequest"
        case 401: "AccessTokenInvalid"
        case 403: "AccessDenied"
        case 404: "NotFound"
        case 429: "RateLimitExceeded"
        case 503: "ServiceUnavailable"
        default: status < 500 ? "BadRequest" : "ServerError"
        }
    }

    func response(requestID: String) -> ServiceResponse {
        var response = ServiceResponse.json(
            [
                ("sys", ["type": "Error", "id": .string(id)]), ("message", .string(message)),
                ("requestId", .string(requestID)),
            ], status: status)
        if let pause {
            response.headers["x-contentful-ratelimit-reset"] = String(pause)
            response.headers["retry-after"] = String(pause)
        }
        if status == 401 { response.headers["www-authenticate"] = "Bearer" }
        return response
    }
}
