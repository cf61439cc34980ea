/// What became of the events for a webhook.
struct WebhookCounts: Hashable, Sendable {
    /// Answered with a status of success.
    var delivered = 0
    /// Given up after every try, or refused for good.
    var failed = 0
    /// Never tried, because too many waited.
    var dropped = 0
    /// Tries beyond the first.
    var retries = 0

    var named: [(name: String, count: Int)] {
        [("delivered", delivered), ("failed", failed), ("dropped", dropped), ("retried", retries)]
    }

    static func + (left: WebhookCounts, right: WebhookCounts) -> WebhookCounts {
        WebhookCounts(
            delivered: left.delivered + right.delivered, failed: left.failed + right.failed,
            dropped: left.dropped + right.dropped, retries: left.retries + right.retries)
    }
}
