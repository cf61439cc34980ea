public import Foundation

/// The address of the org and the access token for it.
public struct ServerSession: Hashable, Sendable {
    /// The instance URL: scheme, host and possibly a port. Plain `http` is accepted only for the local machine.
    public var instance: URL
    public var accessToken: String
    /// Whose session it is, as in `RecordSync.logIn`. A call for another user is then refused before it is sent. Nil if the
    /// provider does not say.
    public var user: String?
    /// The number of the log-in that it came from. A call is not repeated with the session of a later log-in.
    package var logIn: Int?

    public init(instance: URL, accessToken: String, user: String? = nil) {
        self.instance = instance
        self.accessToken = accessToken
        self.user = user
    }
}

extension ServerSession: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Only the host, because neither a log nor a dump may show the access token.
    public var description: String { "session at \(instance.host ?? "?")" }

    public var debugDescription: String { description }

    public var customMirror: Mirror { Mirror(self, children: ["instance": instance]) }
}
