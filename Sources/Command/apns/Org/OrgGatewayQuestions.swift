import DeviceSimulator
import OrgSimulator
import PushDispatch

/// Asks the control API of a gateway simulator what became of notifications.
struct OrgGatewayQuestions: Sendable {
    let client: ControlClient

    /// The environment variable with the token of the gateway's control API.
    static let tokenVariable = "APNS_GATEWAY_CONTROL_TOKEN"

    /// - Parameter control: The URL of the control API.
    init?(control: String) {
        guard let endpoint = ControlEndpoint(url: control, token: System.environment(OrgGatewayQuestions.tokenVariable))
        else { return nil }
        client = ControlClient(endpoint: endpoint)
    }

    /// The first failure is the answer to all questions after it as well, because a gateway that does not answer would
    /// cost the time of a connection for each.
    func ask(_ questions: [OrgDelivery.Question]) async -> [OrgDelivery.Question: OrgDelivery] {
        var answers: [OrgDelivery.Question: OrgDelivery] = [:]
        var failure: OrgDelivery?
        for question in questions {
            if let failure {
                answers[question] = failure
                continue
            }
            do {
                let response = try await client.call(method: "GET", question.path)
                let body = (try? JSONReader.read(response.body, limits: OrgGatewayQuestions.limits)) ?? .null
                answers[question] = OrgDelivery(response.status, body, to: question)
            } catch {
                failure = .unknown(why: "the gateway's control API at \(client.endpoint) does not answer")
                answers[question] = failure
            }
        }
        return answers
    }

    private static let limits = JSONLimits(maximumBytes: 1 << 20, maximumDepth: 64, maximumValues: 20_000)
}
