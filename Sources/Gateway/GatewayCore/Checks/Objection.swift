package import APNSModel

/// Why a check refuses a request.
///
/// An object, because each check returns one or nil. As a value of seven words, the nil was copied after each check, which took
/// a twentieth of the time for a request.
package final class Objection: Hashable, Sendable {
    package let reason: Reason
    /// A sentence that a developer can act on, with figures. It never holds a provider token or a whole device token.
    package let why: String
    /// Milliseconds since 1970; only with status 410.
    package let timestamp: Int64?

    package init(_ reason: Reason, _ why: String, timestamp: Int64? = nil) {
        self.reason = reason
        self.why = why
        self.timestamp = timestamp
    }

    package static func == (left: Objection, right: Objection) -> Bool {
        left.reason == right.reason && left.why == right.why && left.timestamp == right.timestamp
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(why) }
}
