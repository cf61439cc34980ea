/// An event of a `RESTClient` for a log. It contains no token and no value of a record.
public enum RESTEvent: Hashable, Sendable {
    /// How many of the day's calls are used, from the last reply.
    case usage(LimitInfo)
    /// The server refused the access token; the session is asked for another one.
    case accessTokenRefused
    /// The server refused the length of the address; the call is repeated in another form.
    case addressRefused
}
