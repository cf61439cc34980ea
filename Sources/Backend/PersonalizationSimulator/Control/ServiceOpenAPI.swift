import PushDispatch
import ServiceHost

/// The OpenAPI 3.1 document of the control API.
enum ServiceOpenAPI {
    /// - Parameter needsToken: Whether clients have to send the control token.
    static func document(needsToken: Bool) -> JSONValue {
        ControlOpenAPI.document(
            ServiceOperation.all, title: "Simulated decision service, control API",
            description: """
                Inspects and configures a simulated decision service. The vendor's paths on the same port are not \
                described here. Errors are problem details (RFC 9457).
                """, needsToken: needsToken)
    }
}
