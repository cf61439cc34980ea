public import EventDelivery

/// Sends events over HTTP to the service of a configuration.
public struct PersonalizationEventTransport: EventTransport {
    private let configuration: PersonalizationConfiguration
    private let http: any DecisionTransport

    /// - Parameter http: The same as for decisions.
    public init(
        _ configuration: PersonalizationConfiguration, http: any DecisionTransport = URLSessionDecisionTransport()
    ) {
        self.configuration = configuration
        self.http = http
    }

    public func send(_ batch: EventBatch) async -> TransportAnswer {
        let request = DecisionHTTPRequest(
            url: configuration.eventsURL, body: batch.body, contentType: batch.contentType,
            withinMilliseconds: max(1, configuration.delivery.answerMilliseconds), maximumReplyBytes: 65_536)
        do throws(DecisionError) {
            let reply = try await http.send(request)
            let seconds = reply.headers["retry-after"].flatMap { Int64($0) }
            return .status(reply.status, retryAfterMilliseconds: seconds.map { min(max(0, $0), 86_400) * 1_000 })
        } catch {
            return .noAnswer
        }
    }
}
