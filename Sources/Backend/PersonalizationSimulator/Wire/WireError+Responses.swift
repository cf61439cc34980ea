import PushDispatch
import ServiceHost

extension WireError {
    /// The error form of decisions: diagnostics beside an empty list.
    func decisionResponse(requestID: String) -> ServiceResponse {
        var response = DecisionWire.refusal(
            [Diagnostic(diagnosticCode, description)], status: status, requestID: requestID)
        response.headers.merge(headers) { $1 }
        return response
    }

    /// Codes of diagnostics are not HTTP statuses: 401, for one, says that a point is not configured.
    private var diagnosticCode: Int {
        switch status {
        case 401, 403: 404
        case 429: 406
        case 400..<500: 400
        case 521, 533: 500
        default: status
        }
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
