package import PushDispatch
package import SelectiveSync

/// Something that goes wrong with some calls, as data: which calls, what happens, how often, until when.
package struct OrgFault: Hashable, Sendable {
    package enum Effect: Hashable, Sendable {
        /// This error in place of an answer.
        case refuse(status: Int, code: String)
        /// The access token of the call is over from now on.
        case expireToken
        /// The refresh token of the call is revoked, and all that came of it.
        case revokeRefreshToken
        /// As if the day's calls were used up.
        case reachLimit
        /// Milliseconds between call and answer.
        case delay(ClosedRange<Int64>)
        /// The connection breaks: before the call is looked at, or so many bytes into the answer's body, when all that
        /// it wanted has been done.
        case disconnect(afterBytes: Int?)
        /// The next page of a query cannot be had any more.
        case losePage
        /// The field does not exist for the caller.
        case hideField(object: String, field: String)
    }

    /// All that is named has to be met.
    package struct Match: Hashable, Sendable {
        package var method: String?
        /// What the path has in it, such as `/query`.
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
    /// 0 to 1.
    package var probability: Double
    /// How many calls it hits before it goes; nil for any number.
    package var count: Int?
    /// When it goes; nil for never.
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
