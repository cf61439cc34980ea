package import APNSModel

/// Why a check refuses a request.
package struct Objection: Hashable, Sendable {
    package var reason: Reason
    /// A sentence that a developer can act on, with figures. It never holds a provider token or a whole device token.
    package var why: String
    /// Milliseconds since 1970; only with status 410.
    package var timestamp: Int64?

    package init(_ reason: Reason, _ why: String, timestamp: Int64? = nil) {
        self.reason = reason
        self.why = why
        self.timestamp = timestamp
    }
}
