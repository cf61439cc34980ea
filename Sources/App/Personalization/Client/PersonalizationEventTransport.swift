public import EventDelivery

/// Sends events over HTTP to the service of a configuration.
public struct PersonalizationEventTransport: EventTransport {
    private let configuration: PersonalizationConfiguration
    private let http: any DecisionTransport
    private let wallClock: @Sendable () -> EventTime

    /// - Parameters:
    ///   - http: The same as for decisions.
    ///   - wallClock: The device's clock, for a `Retry-After` with a date.
    public init(
        _ configuration: PersonalizationConfiguration, http: any DecisionTransport = URLSessionDecisionTransport(),
        wallClock: @escaping @Sendable () -> EventTime = { .now() }
    ) {
        self.configuration = configuration
        self.http = http
        self.wallClock = wallClock
    }

    public func send(_ batch: EventBatch) async -> TransportAnswer {
        let request = DecisionHTTPRequest(
            url: configuration.eventsURL, body: batch.body, contentType: batch.contentType,
            withinMilliseconds: max(1, configuration.delivery.answerMilliseconds), maximumReplyBytes: 65_536)
        do throws(DecisionError) {
            let reply = try await http.send(request)
            let wait = ReplyJudge.retryAfter(reply.headers, at: wallClock()) ?? standardPause(reply.status)
            return .status(reply.status, retryAfterMilliseconds: wait.map { min(max(0, $0), 86_400_000) })
        } catch {
            return .noAnswer
        }
    }

    /// The vendor's pause, as for decisions.
    private func standardPause(_ status: Int) -> Int64? {
        let decisions = DecisionConfiguration(endpoint: configuration.endpoint)
        switch status {
        case 429: return decisions.busyPauseMilliseconds
        case 503: return decisions.unavailablePauseMilliseconds
        default: return nil
        }
    }
}
