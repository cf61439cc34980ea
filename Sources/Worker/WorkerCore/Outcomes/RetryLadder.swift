/// How long a push waits after an attempt that failed.
package struct RetryLadder: Hashable, Sendable {
    /// The wait after the first attempt, the second and so on; after the last step it stays.
    package var steps: [Duration]
    /// Each wait is lengthened by up to this part, so that what failed together does not return together.
    package var jitter: Double

    package init(
        steps: [Duration] = [
            .seconds(30), .seconds(120), .seconds(480), .seconds(900), .seconds(1800), .seconds(3600), .seconds(7200),
        ], jitter: Double = 0.2
    ) {
        self.steps = steps
        self.jitter = jitter
    }

    /// - Parameters:
    ///   - attempt: How many attempts have failed, at least 1.
    ///   - asked: What the gateway asked for in `retry-after`. The wait is never shorter.
    ///   - random: From 0 to 1.
    package func wait(after attempt: Int, asked: Duration? = nil, random: Double) -> Duration {
        guard !steps.isEmpty else { return asked ?? .zero }
        let step = steps[min(max(attempt, 1), steps.count) - 1]
        let bounded = min(asked ?? .zero, RetryLadder.maximumAsked)
        return max(step, bounded) * (1 + jitter * random)
    }

    /// A longer `retry-after` counts as this much.
    package static let maximumAsked = Duration.seconds(86_400)
}
