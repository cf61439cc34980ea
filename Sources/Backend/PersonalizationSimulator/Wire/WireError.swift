import PushDispatch
import ServiceHost

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

    /// Asks the client to wait, in whole seconds, rounded up.
    mutating func ask(toWait milliseconds: Int64) { headers["retry-after"] = String(WireError.seconds(milliseconds)) }

    static func seconds(_ milliseconds: Int64) -> Int64 { (milliseconds + 999) / 1_000 }

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
