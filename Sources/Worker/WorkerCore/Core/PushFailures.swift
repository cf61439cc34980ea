import APNSModel

/// How often a push was sent and not processed, because of the connection or the credentials, as far as that says something
/// about the push.
struct PushFailures: Hashable, Sendable {
    /// Failures between which other pushes of its tenant got answers.
    var count: Int
    /// The last one, whether it counts or not.
    var last: MonotonicTime
}

/// What a failure says about its push.
struct PushFailure: Hashable, Sendable {
    /// Whether the push was written to a connection, and it is the first one or other pushes of the tenant got answers since the
    /// one before.
    var isNew: Bool
    /// Whether the push had failed before.
    var isRepeat: Bool
    /// Whether it is the fault of the push, which others must not wait for.
    var isOwn: Bool

    /// The push has another outcome, or its sender ended it without trying.
    static let none = PushFailure(isNew: false, isRepeat: false, isOwn: false)
}
