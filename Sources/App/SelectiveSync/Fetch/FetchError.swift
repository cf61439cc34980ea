/// Why a request failed, and what the caller can do about it.
///
/// Neither the code nor the detail contains a token or a value of a record.
public struct FetchError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The server's `errorCode`, or a code of this library for a request that the server did not answer. The server has
    /// more codes than are listed here.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let rawValue: String

        public init(_ rawValue: String) { self.rawValue = rawValue }

        public var description: String { rawValue }
    }

    /// What the caller does (docs/reference/selective-sync.md 6.6).
    public enum Advice: String, Hashable, Sendable {
        /// The request contains an id that the server refuses.
        case dropRecord
        /// Only a change of configuration or rights helps.
        case stop
        /// The access token is no longer valid, and a new one could not be got or was refused too.
        case logIn
        /// Keep the hint and report it to the app: the day's calls are used up, the answer is larger than the app allows, or
        /// the refusal has no readable reason or one that this library does not know.
        case keep
        case retryLater
    }

    public let code: Code
    /// Nil if no answer came.
    public let status: Int?
    public let advice: Advice
    public let detail: String
    /// The wait that the server demands, if it names one.
    public var retryAfterMilliseconds: Int64?

    public init(
        _ code: Code, status: Int? = nil, advice: Advice, _ detail: String, retryAfterMilliseconds: Int64? = nil
    ) {
        self.code = code
        self.status = status
        self.advice = advice
        self.detail = detail
        self.retryAfterMilliseconds = retryAfterMilliseconds
    }

    public var description: String {
        "\(code)\(status.map { " (status \($0))" } ?? ""): \(detail); \(advice.inWords)"
    }
}

extension FetchError.Code {
    public static let malformedID = FetchError.Code("MALFORMED_ID")
    public static let invalidField = FetchError.Code("INVALID_FIELD")
    public static let invalidSessionID = FetchError.Code("INVALID_SESSION_ID")
    public static let requestLimitExceeded = FetchError.Code("REQUEST_LIMIT_EXCEEDED")
    public static let notFound = FetchError.Code("NOT_FOUND")
    public static let entityIsDeleted = FetchError.Code("ENTITY_IS_DELETED")
    public static let serverUnavailable = FetchError.Code("SERVER_UNAVAILABLE")

    /// No connection, or it was lost.
    public static let network = FetchError.Code("network")
    public static let timeout = FetchError.Code("timeout")
    public static let cancelled = FetchError.Code("cancelled")
    /// The closure that provides the session threw.
    public static let noSession = FetchError.Code("no-session")
    /// The server no longer accepts the refresh token.
    public static let invalidGrant = FetchError.Code("invalid_grant")
    /// The server returned the session of another user.
    public static let otherUser = FetchError.Code("other-user")
    /// The request cannot be sent: too many ids, a bad object name, an address that is not https.
    public static let badRequest = FetchError.Code("bad-request")
    /// The answer has more bytes than allowed.
    public static let replyTooLarge = FetchError.Code("reply-too-large")
    /// The answer is not what was asked for.
    public static let badReply = FetchError.Code("bad-reply")
    /// The server redirects the call to another address, which must not get the access token.
    public static let redirected = FetchError.Code("redirected")
    /// An error status without a readable `errorCode`.
    public static let unexplained = FetchError.Code("unexplained")
}

extension FetchError {
    /// Whether the record that was asked for is deleted or not visible to the user.
    var isMissingRecord: Bool { code == .notFound || code == .entityIsDeleted }

    /// Whether this call alone was answered in this way, so that others may be answered in another: not where the server is
    /// not reached or overloaded, the session has expired, or the day's calls are used up.
    var concernsOneCall: Bool {
        if code == .replyTooLarge { return true }
        guard let status, !(300..<400).contains(status) else { return false }
        switch (status, advice) {
        case (408, _), (429, _), (503, _), (_, .logIn): return false
        case (_, .keep): return code == .unexplained || isUnknownRefusal
        default: return true
        }
    }

    /// Whether the server has refused the call with a code that this library does not know.
    var isUnknownRefusal: Bool {
        guard let status, (400..<500).contains(status), advice == .keep else { return false }
        return code != .unexplained && code != .replyTooLarge && !ServerRefusal.knows(code)
    }
}

extension FetchError.Advice {
    fileprivate var inWords: String {
        switch self {
        case .dropRecord: "drop the id"
        case .stop: "change the configuration or the user's rights before trying again"
        case .logIn: "the user has to log in again"
        case .keep: "try again later; a limit, a setting or a right may have to change"
        case .retryLater: "try again later"
        }
    }
}
