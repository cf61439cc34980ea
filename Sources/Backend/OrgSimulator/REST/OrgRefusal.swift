import PushDispatch
import ServiceHost

extension ServiceResponse {
    static let emptyObject = ServiceResponse.json(Array("{}".utf8))

    /// An array of one error. A 405 also lists the allowed methods in a header.
    static func refusal(_ error: OrgError, allowing methods: String? = nil) -> ServiceResponse {
        var bytes = [UInt8(ascii: "[")]
        JSONValue.appendObject(error.members(code: "errorCode"), to: &bytes)
        bytes.append(UInt8(ascii: "]"))
        var response = ServiceResponse.json(bytes, status: error.status)
        response.headers["allow"] = methods
        return response
    }
}

extension OrgError {
    /// - Parameter code: The key of the error code.
    func members(code key: String) -> [(key: String, value: JSONValue)] {
        var members: [(key: String, value: JSONValue)] = [("message", .string(message)), (key, .string(code))]
        if !fields.isEmpty { members.append(("fields", .array(fields.map { .string($0) }))) }
        return members
    }
}
