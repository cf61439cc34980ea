import PushDispatch

/// The org's answer to one call.
package struct OrgResponse: Hashable, Sendable {
    package let status: Int
    /// Names in lower case.
    package let headers: [String: String]
    package let body: [UInt8]

    private init(status: Int, headers: [String: String], body: [UInt8]) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    static func json(_ body: [UInt8]) -> OrgResponse {
        OrgResponse(status: 200, headers: jsonHeaders, body: body)
    }

    static let noContent = OrgResponse(status: 204, headers: [:], body: [])

    /// An array of one error. With 405 the allowed methods stand in a header of their own.
    static func refusal(_ error: OrgError, allowing methods: String? = nil) -> OrgResponse {
        var members: [(key: String, value: JSONValue)] = [
            ("message", .string(error.message)), ("errorCode", .string(error.code)),
        ]
        if !error.fields.isEmpty { members.append(("fields", .array(error.fields.map { .string($0) }))) }
        var bytes = [UInt8(ascii: "[")]
        JSONValue.appendObject(members, to: &bytes)
        bytes.append(UInt8(ascii: "]"))
        var headers = jsonHeaders
        headers["allow"] = methods
        return OrgResponse(status: error.status, headers: headers, body: bytes)
    }

    private static let jsonHeaders = ["content-type": "application/json;charset=UTF-8"]
}
