import PushDispatch

/// The org's answer to one call.
package struct OrgResponse: Hashable, Sendable {
    package let status: Int
    /// Names in lower case.
    package internal(set) var headers: [String: String]
    package let body: [UInt8]

    private init(status: Int, headers: [String: String], body: [UInt8]) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    static func json(_ body: [UInt8], status: Int = 200) -> OrgResponse {
        OrgResponse(status: status, headers: jsonHeaders, body: body)
    }

    /// A JSON object with its members in the given order.
    static func json(_ members: [(key: String, value: JSONValue)], status: Int = 200) -> OrgResponse {
        var bytes: [UInt8] = []
        JSONValue.appendObject(members, to: &bytes)
        return json(bytes, status: status)
    }

    static let emptyObject = json(Array("{}".utf8))

    static let noContent = OrgResponse(status: 204, headers: [:], body: [])

    /// An array of one error. A 405 also lists the allowed methods in a header.
    static func refusal(_ error: OrgError, allowing methods: String? = nil) -> OrgResponse {
        var bytes = [UInt8(ascii: "[")]
        JSONValue.appendObject(error.members(code: "errorCode"), to: &bytes)
        bytes.append(UInt8(ascii: "]"))
        var headers = jsonHeaders
        headers["allow"] = methods
        return OrgResponse(status: error.status, headers: headers, body: bytes)
    }

    private static let jsonHeaders = ["content-type": "application/json;charset=UTF-8"]
}

extension OrgError {
    /// - Parameter code: The key of the error code.
    func members(code key: String) -> [(key: String, value: JSONValue)] {
        var members: [(key: String, value: JSONValue)] = [("message", .string(message)), (key, .string(code))]
        if !fields.isEmpty { members.append(("fields", .array(fields.map { .string($0) }))) }
        return members
    }
}
