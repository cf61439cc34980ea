import EventDelivery
import PushDispatch

/// What a reply of the service means.
struct ReplyJudge {
    let configuration: DecisionConfiguration

    /// - Parameter wallTime: The device's clock, for a `Retry-After` with a date.
    /// - Throws: What is wrong. Its `retryAfterMilliseconds` is the pause before the next request.
    func read(
        _ answer: DecisionHTTPReply, points: [String], at wallTime: EventTime
    ) throws(DecisionError) -> DecisionReply {
        guard (200..<300).contains(answer.status) else { throw refusal(answer, at: wallTime) }
        do throws(DecisionError) {
            return try DecisionReply.read(answer.body, points: points, maximumBytes: configuration.maximumReplyBytes)
        } catch {
            var failure = error
            failure.status = answer.status
            if answer.body.isEmpty { failure.detail = "the reply is empty; check the endpoint and its path" }
            if let type = answer.headers["content-type"], !ReplyJudge.isJSON(type) {
                failure.detail += " (its content type is not JSON)"
            }
            throw failure
        }
    }

    private func refusal(_ answer: DecisionHTTPReply, at wallTime: EventTime) -> DecisionError {
        var failure: DecisionError
        switch answer.status {
        case 300..<400:
            failure = DecisionError(
                .responseInvalid,
                "the service answers from another address, which is not followed; set the endpoint to it")
        case 401, 403:
            failure = .invalid("the service wants sign-on; set the path without sign-on, or ask for other points")
        case 404, 405: failure = .invalid("there is no decision service at this address; check endpoint and path")
        case 408, 500..., 425:
            failure = DecisionError(.network, "the service cannot answer now; fetch again later")
        case 429: failure = DecisionError(.network, "the service gets too many requests; fetch again after the pause")
        default: failure = .invalid("the service refuses the request; its diagnostics say what to change")
        }
        failure.status = answer.status
        failure.diagnostics = ReplyJudge.diagnostics(answer.body)
        failure.retryAfterMilliseconds = pause(answer, at: wallTime)
        return failure
    }

    /// The service's own wait; without one the vendor's for 429 and 503. Other statuses pause nothing.
    private func pause(_ answer: DecisionHTTPReply, at wallTime: EventTime) -> Int64? {
        let standard: Int64
        switch answer.status {
        case 429: standard = configuration.busyPauseMilliseconds
        case 503: standard = configuration.unavailablePauseMilliseconds
        default: return nil
        }
        let wait = ReplyJudge.retryAfter(answer.headers, at: wallTime) ?? standard
        return min(max(0, wait), DecisionConfiguration.maximumPauseMilliseconds)
    }

    /// `Retry-After` in milliseconds, from seconds or from a date, which is compared with the service's own clock if it
    /// sends its time.
    static func retryAfter(_ headers: [String: String], at wallTime: EventTime) -> Int64? {
        guard let text = headers["retry-after"].map(trimmed), !text.isEmpty else { return nil }
        if text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            return text.utf8.count > 9 ? .max : Int64(text).map { $0 * 1_000 }
        }
        guard let then = milliseconds(httpDate: text) else { return nil }
        return then - (headers["date"].map(trimmed).flatMap(milliseconds(httpDate:)) ?? wallTime.milliseconds)
    }

    private static func milliseconds(httpDate text: String) -> Int64? {
        HTTPDate.timestamp(text).flatMap { FieldDate.milliseconds($0) }
    }

    private static func trimmed(_ text: String) -> String {
        String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }

    private static func isJSON(_ type: String) -> Bool {
        let kind = trimmed(String(type.prefix { $0 != ";" })).lowercased()
        return kind == "application/json" || (kind.hasPrefix("application/") && kind.hasSuffix("+json"))
    }

    private static let maximumDiagnostics = 100

    private static func diagnostics(_ body: [UInt8]) -> [DecisionDiagnostic] {
        let limits = JSONLimits(maximumBytes: 65_536, maximumDepth: 8, maximumValues: 4_096)
        let members = (try? JSONReader.read(body, limits: limits))?.object
        return Array(DecisionDiagnostic.list(members?["diagnostics"]).prefix(maximumDiagnostics))
    }
}
