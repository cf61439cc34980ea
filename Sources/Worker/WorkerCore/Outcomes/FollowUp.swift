/// What becomes of a push after an outcome.
package enum FollowUp: Hashable, Sendable, CaseIterable {
    /// It leaves the queue.
    case done
    /// The device token is dead: to feedback, with the timestamp.
    case feedback
    /// The device token is wrong here. That may be the token's fault, or that of the configuration when there are many: to
    /// feedback as suspect, and many of them pause the tenant.
    case suspect
    /// To the dead letter.
    case dead
    /// Later, by the ladder. The attempt counts.
    case later
    /// Once more at once, because the sender has replaced the connection, and then later, by the ladder. The attempt counts.
    case again
    /// Later, by the ladder, and the device gets nothing else before. The attempt counts.
    case device
    /// The credentials are refused, a key or a certificate: the tenant pauses, and one push at a time tests whether they are
    /// accepted again.
    /// The attempt does not count, unless the push keeps failing while others get answers.
    case credentials
    /// It was surely not processed, because there is no connection: back at once, behind the breaker of the host. The attempt
    /// does not count, unless the push keeps failing while others get answers.
    case connection
    /// It may have been processed: as `--unknown` says. The attempt counts.
    case doubt
}
