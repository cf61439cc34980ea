package import APNSModel

/// How long answers took, and how large the payloads were.
extension World {
    /// A batch of requests is answered.
    ///
    /// An answer that a fault rule delays is reported later, with `answered(_:after:)`. One that it suppresses never is.
    ///
    /// - Parameters:
    ///   - judgements: As many as requests; nil for one that was not taken.
    ///   - now: On the clock of `CompleteRequest.began`.
    package mutating func answered(
        _ judgements: [Judgement?], to requests: [CompleteRequest], at now: MonotonicTime
    ) {
        for (judgement, request) in zip(judgements, requests) {
            guard let judgement, judgement.verdict.kind.isSend else { continue }
            payloadSizes.add(Int64(request.body.count + request.omittedBytes), judgement.verdict.outcome)
            guard judgement.answersAtOnce else { continue }
            answerTimes.add((now.nanoseconds - request.began.nanoseconds) / 1000, judgement.verdict.outcome)
        }
    }

    package mutating func answered(_ verdict: Verdict, after duration: Duration) {
        guard verdict.kind.isSend else { return }
        answerTimes.add(duration.wholeNanoseconds / 1000, verdict.outcome)
    }
}
