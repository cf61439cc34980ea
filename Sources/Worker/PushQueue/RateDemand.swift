/// What a worker asks of a limit that all workers share.
package struct RateDemand: Hashable, Sendable {
    /// Whose limit it is: a tenant's name, or the empty text for that of all together.
    package var bucket: String
    /// Tokens that the bucket gains each second. The bucket holds at most those of one second.
    package var perSecond: Int
    /// How many tokens are wanted: a slice, not one for each push.
    package var wanted: Int

    package init(bucket: String, perSecond: Int, wanted: Int) {
        self.bucket = bucket
        self.perSecond = perSecond
        self.wanted = wanted
    }
}

package struct RateGrant: Hashable, Sendable {
    /// From 0 to `wanted`.
    package var granted: Int
    /// How long to wait before asking again; zero when everything was granted.
    package var wait: Duration

    package init(granted: Int, wait: Duration) {
        self.granted = granted
        self.wait = wait
    }
}
