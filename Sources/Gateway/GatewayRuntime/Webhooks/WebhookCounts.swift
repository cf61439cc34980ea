/// How many events of a webhook had which result.
package struct WebhookCounts: Hashable, Sendable {
    /// Answered with a status from 200 to 299.
    var delivered = 0
    /// Not delivered after all tries, or refused with a permanent error.
    var failed = 0
    /// Never posted, because the queue was full.
    var dropped = 0
    /// Tries after the first.
    var retries = 0

    package var named: [(name: String, count: Int)] {
        [("delivered", delivered), ("failed", failed), ("dropped", dropped), ("retried", retries)]
    }

    static func + (left: WebhookCounts, right: WebhookCounts) -> WebhookCounts {
        WebhookCounts(
            delivered: left.delivered + right.delivered, failed: left.failed + right.failed,
            dropped: left.dropped + right.dropped, retries: left.retries + right.retries)
    }
}
