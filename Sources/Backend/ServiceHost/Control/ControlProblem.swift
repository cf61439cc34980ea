import PushDispatch

/// An error of a control API, sent as problem details (RFC 9457).
package struct ControlProblem: Error, Hashable, Sendable {
    package let status: Int
    /// Says what is wrong and what to do next.
    package let detail: String
    /// The methods that the path has, for 405.
    package var allow: [String] = []

    package init(_ status: Int, _ detail: String) {
        self.status = status
        self.detail = detail
    }

    package static func bad(_ detail: String) -> ControlProblem { ControlProblem(400, detail) }

    package var response: ServiceResponse {
        let title =
            switch status {
            case 401: "Unauthorized"
            case 403: "Forbidden"
            case 404: "Not found"
            case 405: "Method not allowed"
            case 413: "The body is too large"
            case 500: "Internal error"
            case 503: "Not available"
            case 507: "Not stored"
            default: "Bad request"
            }
        var answer = ServiceResponse.json(
            [
                ("type", "about:blank"), ("title", .string(title)), ("status", .integer(Int64(status))),
                ("detail", .string(detail)),
            ], status: status)
        answer.headers["content-type"] = "application/problem+json"
        if status == 401 { answer.headers["www-authenticate"] = "Bearer" }
        if !allow.isEmpty { answer.headers["allow"] = allow.joined(separator: ", ") }
        return answer
    }
}
