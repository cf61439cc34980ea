package import APNSModel
package import PushQueue

/// The part of a shared limit that this worker holds: tokens are taken from the engine in slices of a tenth of a second.
package struct RateSlice: Hashable, Sendable {
    package let bucket: String
    package let perSecond: Int
    package private(set) var tokens = 0
    /// The tokens that it has got since the start.
    package private(set) var total = 0
    private var askAgain = MonotonicTime(nanoseconds: .min)
    private var isAsking = false

    package init(bucket: String, perSecond: Int) {
        self.bucket = bucket
        self.perSecond = max(1, perSecond)
    }

    private var slice: Int { max(1, perSecond / 10) }

    /// What to ask the engine for; nil while tokens are left, an answer is outstanding, or it is too early.
    ///
    /// - Parameter wanted: How many pushes wait for tokens.
    package mutating func demand(_ wanted: Int, at now: MonotonicTime) -> RateDemand? {
        guard wanted > tokens, tokens < slice, !isAsking, now >= askAgain else { return nil }
        isAsking = true
        return RateDemand(bucket: bucket, perSecond: perSecond, wanted: min(slice, wanted - tokens))
    }

    /// - Parameter grant: Nil when the engine gave no answer.
    package mutating func granted(_ grant: RateGrant?, at now: MonotonicTime) {
        isAsking = false
        tokens += grant?.granted ?? 0
        total += grant?.granted ?? 0
        askAgain = now + max(grant?.wait ?? .milliseconds(200), .zero)
    }

    package mutating func take(_ count: Int) { tokens -= min(tokens, count) }

    /// Gives back what was taken for a push that was not sent.
    package mutating func giveBack(_ count: Int) { tokens = min(tokens + count, 2 * slice) }
}
