/// Why a fetch brought nothing, and what is to be done about it.
///
/// Neither code nor detail holds a token or a value of a record.
public struct FetchError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The server's `errorCode`, or a word of ours for what never reached it. Open: the server has many more.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let rawValue: String

        public init(_ rawValue: String) { self.rawValue = rawValue }

        public var description: String { rawValue }
    }

    /// What the caller does (docs/reference/selective-sync.md 6.6).
    public enum Advice: String, Hashable, Sendable {
        /// The request holds an id that the server does not take.
        case dropRecord
        /// Nothing helps but a change of configuration or rights.
        case stop
        /// The access token is no longer good, and a new one was not to be had or was refused too.
        case logIn
        /// Keep the hint and tell the app: the day's calls are used up, the answer is larger than the app allows, or the
        /// refusal gives no reason that can be read.
        case keep
        case retryLater
    }

    public let code: Code
    /// Nil where no answer came.
    public let status: Int?
    public let advice: Advice
    public let detail: String
    /// How long the server wants to be left alone, where it said so.
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
    public static let exceededIDLimit = FetchError.Code("EXCEEDED_ID_LIMIT")
    public static let serverUnavailable = FetchError.Code("SERVER_UNAVAILABLE")

    /// No connection, or it broke.
    public static let network = FetchError.Code("network")
    public static let timeout = FetchError.Code("timeout")
    public static let cancelled = FetchError.Code("cancelled")
    /// The closure that gives the session threw.
    public static let noSession = FetchError.Code("no-session")
    /// The server takes the refresh token no more.
    public static let invalidGrant = FetchError.Code("invalid_grant")
    /// The server gave the session of somebody else.
    public static let otherUser = FetchError.Code("other-user")
    /// The request itself cannot be sent: too many ids, a bad object name, an address that is not https.
    public static let badRequest = FetchError.Code("bad-request")
    /// The answer has more bytes than allowed.
    public static let replyTooLarge = FetchError.Code("reply-too-large")
    /// The answer is not what was asked for.
    public static let badReply = FetchError.Code("bad-reply")
    /// The server sends the call to another address, which never gets the access token.
    public static let redirected = FetchError.Code("redirected")
    /// An error status without a readable `errorCode`.
    public static let unexplained = FetchError.Code("unexplained")
}

extension FetchError {
    /// Whether a call for one record learned that it is not there: the record is gone, or not visible.
    var isMissingRecord: Bool { code == .notFound || code == .entityIsDeleted }
}

extension FetchError.Advice {
    fileprivate var inWords: String {
        switch self {
        case .dropRecord: "drop the id"
        case .stop: "change the configuration or the user's rights before trying again"
        case .logIn: "the user has to log in again"
        case .keep: "try again when the limit is reset or raised"
        case .retryLater: "try again later"
        }
    }
}
