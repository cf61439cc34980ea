import PushDispatch

/// The answer to one request.
package struct ServiceResponse: Hashable, Sendable {
    package let status: Int
    /// Names in lower case.
    package internal(set) var headers: [String: String]
    package let body: [UInt8]

    static func json(_ body: [UInt8], status: Int = 200) -> ServiceResponse {
        ServiceResponse(status: status, headers: ["content-type": "application/json;charset=UTF-8"], body: body)
    }

    /// A JSON object with its members in the given order.
    static func json(_ members: [(key: String, value: JSONValue)], status: Int = 200) -> ServiceResponse {
        var bytes: [UInt8] = []
        JSONValue.appendObject(members, to: &bytes)
        return json(bytes, status: status)
    }

    static let noContent = ServiceResponse(status: 204, headers: [:], body: [])
}

/// Why a request to one of the vendor's paths is refused.
struct WireError: Error, Hashable, Sendable {
    let status: Int
    /// Says what is there and what is wanted.
    let description: String
    /// The position in the batch of the event that is wrong; nil for everything else.
    var event: Int?
    var headers: [String: String] = [:]

    init(_ status: Int, _ description: String, event: Int? = nil) {
        self.status = status
        self.description = description
        self.event = event
    }

    static func bad(_ description: String) -> WireError { WireError(400, description) }

    /// The error form of decisions: diagnostics beside an empty list.
    func decisionResponse(requestID: String) -> ServiceResponse {
        var response = DecisionWire.refusal([Diagnostic(status, description)], status: status, requestID: requestID)
        response.headers.merge(headers) { $1 }
        return response
    }

    /// The error form of events. The vendor documents the statuses only; the body is for whoever reads the mistake.
    var eventResponse: ServiceResponse {
        var members: [(String, JSONValue)] = [
            ("status", .integer(Int64(status))), ("message", .string(description)),
        ]
        if let event { members.append(("event", .integer(Int64(event)))) }
        var response = ServiceResponse.json(members, status: status)
        response.headers.merge(headers) { $1 }
        return response
    }
}
