package import PushDispatch

/// The answer of a simulated service to one request.
package struct ServiceResponse: Hashable, Sendable {
    package let status: Int
    /// Names in lower case.
    package var headers: [String: String]
    package let body: [UInt8]

    package init(status: Int, headers: [String: String] = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    package static func json(_ body: [UInt8], status: Int = 200) -> ServiceResponse {
        ServiceResponse(status: status, headers: ["content-type": "application/json;charset=UTF-8"], body: body)
    }

    /// A JSON object with its members in the given order.
    package static func json(_ members: [(key: String, value: JSONValue)], status: Int = 200) -> ServiceResponse {
        var bytes: [UInt8] = []
        JSONValue.appendObject(members, to: &bytes)
        return json(bytes, status: status)
    }

    package static let noContent = ServiceResponse(status: 204)
}
