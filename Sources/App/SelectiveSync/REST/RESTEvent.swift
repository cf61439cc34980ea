/// What the app may want to know of the calls, beside their answers. No token and no value of a record is in it.
public enum RESTEvent: Hashable, Sendable {
    /// How much of the day's calls is used, as the last reply told.
    case usage(LimitInfo)
    /// The server did not take the access token; the session is asked for another one.
    case accessTokenRefused
    /// The server did not take the length of the address; the call is repeated in another form.
    case addressRefused
}
