import GatewayJSON
import GatewayRuntime
import PayloadJSON

/// Health checks of whoever runs the gateway, such as an orchestrator of containers. They need no control token.
extension ControlAPI {
    static let healthPath = "/health"
    static let readyPath = "/ready"
    static let withoutToken: Set = [healthPath, readyPath]

    /// - Throws: A problem with status 503 while senders would be refused.
    func ready() throws(Problem) -> ControlAnswer {
        if let problem = connectionProblem() { throw Problem(503, "Not ready", problem) }
        guard !worlds.isStoreFailing else {
            throw Problem(
                503, "Not ready",
                "the store cannot be written, so notifications are refused with ServiceUnavailable; the gateway's log says "
                    + "why, and it tries again every second")
        }
        return .ok(.object { $0.add("status", "ready") })
    }
}
