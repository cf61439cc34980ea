import PushDispatch

/// An error of the control API, sent as problem details (RFC 9457).
package struct OrgProblem: Error, Hashable, Sendable {
    package let status: Int
    /// Says what is wrong and what to do next.
    package let detail: String

    init(_ status: Int, _ detail: String) {
        self.status = status
        self.detail = detail
    }

    static func bad(_ detail: String) -> OrgProblem { OrgProblem(400, detail) }

    var response: OrgResponse {
        let title =
            switch status {
            case 401: "Unauthorized"
            case 403: "Forbidden"
            case 404: "Not found"
            case 405: "Method not allowed"
            case 413: "The body is too large"
            default: "Bad request"
            }
        var answer = OrgResponse.json(
            [
                ("type", "about:blank"), ("title", .string(title)), ("status", .integer(Int64(status))),
                ("detail", .string(detail)),
            ], status: status)
        answer.headers["content-type"] = "application/problem+json"
        return answer
    }
}
