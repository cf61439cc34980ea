package import PushDispatch
package import SelectiveSync

/// A fault rule: which calls it affects, what happens, how often and until when.
package struct OrgFault: Hashable, Sendable {
    package enum Effect: Hashable, Sendable {
        /// Answers with this error.
        case refuse(status: Int, code: String)
        /// Expires the access token of the call.
        case expireToken
        /// Revokes the refresh token of the call and all access tokens made from it.
        case revokeRefreshToken
        /// Answers as if the daily limit of calls were reached.
        case reachLimit
        /// Milliseconds between the call and its answer.
        case delay(ClosedRange<Int64>)
        /// Breaks the connection: without a number before the call is processed, otherwise after this many bytes of the
        /// answer's body, when the call has taken effect.
        case disconnect(afterBytes: Int?)
        /// Makes the next page of a query unavailable.
        case losePage
        /// Hides the field from the caller, as if it did not exist.
        case hideField(object: String, field: String)
    }

    /// A call matches if it meets every condition that is set.
    package struct Match: Hashable, Sendable {
        package var method: String?
        /// A part of the path, such as `/query`.
        package var path: String?
        package var user: RecordID?

        package init(method: String? = nil, path: String? = nil, user: RecordID? = nil) {
            self.method = method
            self.path = path
            self.user = user
        }
    }

    package var match: Match
    package var effect: Effect
    /// From 0 to 1.
    package var probability: Double
    /// The number of calls that the rule affects before it is removed; nil for no limit.
    package var count: Int?
    /// The time at which the rule is removed; nil for never.
    package var until: ServerDate?

    package init(
        _ effect: Effect, match: Match = Match(), probability: Double = 1, count: Int? = nil, until: ServerDate? = nil
    ) {
        self.effect = effect
        self.match = match
        self.probability = probability
        self.count = count
        self.until = until
    }
}
