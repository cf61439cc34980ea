/// What became of the events for a webhook.
package struct WebhookCounts: Hashable, Sendable {
    /// Answered with a status of success.
    package var delivered = 0
    /// Given up after every try, or refused for good.
    package var failed = 0
    /// Never tried, because too many waited.
    package var dropped = 0
    /// Tries beyond the first.
    package var retries = 0

    package var named: [(name: String, count: Int)] {
        [("delivered", delivered), ("failed", failed), ("dropped", dropped), ("retried", retries)]
    }

    package static func + (left: WebhookCounts, right: WebhookCounts) -> WebhookCounts {
        WebhookCounts(
            delivered: left.delivered + right.delivered, failed: left.failed + right.failed,
            dropped: left.dropped + right.dropped, retries: left.retries + right.retries)
    }
}
