import PushDispatch
import ServiceHost

/// Why the profile or the analytics service refuses a request.
struct ProfileError: Error, Hashable {
    enum Code: String {
        case invalidData = "ERR_INVALID_DATA"
        case configNotFound = "ERR_CONFIG_NOT_FOUND"
        case profileNotFound = "ERR_PROFILE_NOT_FOUND"
        case namespaceMismatch = "ERR_NAMESPACE_MISMATCH"
        case profileOverload = "ERR_PROFILE_OVERLOAD"
        case internalError = "ERR_INTERNAL_SERVER_ERROR"

        /// The code that goes with a status of a fault rule.
        init(status: Int) {
            switch status {
            case 404: self = .profileNotFound
            case 429: self = .profileOverload
            default: self = status < 500 ? .invalidData : .internalError
            }
        }
    }

    let status: Int
    let code: Code
    /// Says what is there and what is wanted.
    let message: String
    var headers: [String: String] = [:]

    init(_ status: Int, _ code: Code, _ message: String) {
        self.status = status
        self.code = code
        self.message = message
    }

    static func bad(_ message: String) -> ProfileError { ProfileError(400, .invalidData, message) }

    /// Asks the client to wait, in whole seconds, rounded up.
    mutating func ask(toWait milliseconds: Int64) { headers["retry-after"] = String((milliseconds + 999) / 1_000) }

    var response: ServiceResponse {
        var response = ServiceResponse.json(
            [("message", .string(message)), ("data", [:]), ("error", ["code": .string(code.rawValue)])], status: status)
        response.headers.merge(headers) { $1 }
        return response
    }
}
