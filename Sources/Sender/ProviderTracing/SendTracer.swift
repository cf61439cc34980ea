import Tracing

/// Makes the spans of a provider: one for each `send(_:)`, of a notification or of a broadcast, and one for a whole bulk send. No span has a device token or a
/// payload.
///
/// A class, so that a provider without one has a nil to look at, not a value to copy.
package final class SendTracer: Sendable {
    private let tracer: any Tracer
    private let host: String
    private let port: Int

    /// Nil without a tracer.
    package init?(_ tracing: PushTracing, host: String, port: Int) {
        let tracer = tracing.tracer ?? InstrumentationSystem.tracer
        if tracer is NoOpTracer { return nil }
        self.tracer = tracer
        self.host = host
        self.port = port
    }

    /// Starts a span, as a child of the current task's.
    ///
    /// - Parameter notification: Nil for a bulk send.
    package func start(_ name: String, _ notification: SendSpan.Notification?) -> SendSpan {
        let span: any Span = tracer.startSpan(name, context: ServiceContext.current ?? .topLevel, ofKind: .client)
        span.updateAttributes { attributes in
            attributes["messaging.system"] = "apns"
            attributes["messaging.operation.type"] = "send"
            attributes["server.address"] = host
            attributes["server.port"] = port
            guard let notification else { return }
            attributes["messaging.destination.name"] = notification.topic
            attributes["apns.push_type"] = notification.pushType
            if let priority = notification.priority { attributes["apns.priority"] = priority }
            if let apnsID = notification.apnsID { attributes["messaging.message.id"] = apnsID }
        }
        return SendSpan(span: span)
    }
}

/// The span of a send that has not ended.
package struct SendSpan: Sendable {
    /// What a span shows of a notification.
    package struct Notification {
        var topic: String
        var pushType: String
        var priority: Int?
        var apnsID: String?

        package init(topic: String, pushType: String, priority: Int?, apnsID: String?) {
            self.topic = topic
            self.pushType = pushType
            self.priority = priority
            self.apnsID = apnsID
        }
    }

    /// What a span shows of an outcome.
    package struct Result {
        var outcome: String
        var apnsID: String?
        var status: Int?
        var reason: String?
        var error: (any Error)?

        /// - Parameters:
        ///   - outcome: `accepted`, `refused`, `unsent` or `unknown`.
        ///   - status: Of the answer; nil without one.
        ///   - reason: Of the refusal, or the code of the error; nil when the notification was accepted.
        package init(
            outcome: String, apnsID: String? = nil, status: Int? = nil, reason: String? = nil,
            error: (any Error)? = nil
        ) {
            self.outcome = outcome
            self.apnsID = apnsID
            self.status = status
            self.reason = reason
            self.error = error
        }
    }

    let span: any Span

    /// Ends the span of one notification.
    package func end(_ result: Result) {
        span.attributes["apns.outcome"] = result.outcome
        if let apnsID = result.apnsID, !apnsID.isEmpty { span.attributes["messaging.message.id"] = apnsID }
        if let status = result.status { span.attributes["http.response.status_code"] = status }
        if let reason = result.reason {
            span.attributes["error.type"] = reason
            span.setStatus(SpanStatus(code: .error, message: reason))
        }
        if let error = result.error { span.recordError(error) }
        span.end()
    }

    /// Ends the span of a bulk send.
    ///
    /// - Parameters:
    ///   - counts: How many notifications had each outcome.
    ///   - error: Of the source.
    package func end(counts: [String: Int], error: (any Error)?) {
        span.attributes["messaging.batch.message_count"] = counts.values.reduce(0, +)
        for (outcome, count) in counts { span.attributes["apns.\(outcome)"] = count }
        if let error {
            span.recordError(error)
            span.setStatus(SpanStatus(code: .error, message: "the source failed"))
        }
        span.end()
    }
}
