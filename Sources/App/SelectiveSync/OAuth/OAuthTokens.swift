public import Foundation

/// The result of a log-in: the address of the org and the tokens for it.
///
/// `Codable` for the storage, which has to be a storage for secrets. No description shows a token.
public struct OAuthTokens: Hashable, Sendable, Codable {
    /// The instance URL: https, or http to the local machine.
    public var instance: URL
    public var accessToken: String
    /// Nil if the server returned none: the user then has to log in again when the access token expires.
    public var refreshToken: String?
    /// The user's identity, from the member `id` of the server's answer. A renewal for another user is refused.
    public var identity: String?
    /// The user's name in the app, as in `RecordSync.logIn`. `CRMSync` sets it. Nil does not limit who uses the tokens.
    public var user: String?

    public init(instance: URL, accessToken: String, refreshToken: String?, identity: String? = nil, user: String? = nil)
    {
        self.instance = instance
        self.accessToken = accessToken
        self.refreshToken = refreshToken
        self.identity = identity
        self.user = user
    }

    var session: ServerSession { ServerSession(instance: instance, accessToken: accessToken, user: user) }
}

extension OAuthTokens: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Only the host.
    public var description: String { "tokens for \(instance.host ?? "?")" }

    public var debugDescription: String { description }

    public var customMirror: Mirror { Mirror(self, children: ["instance": instance]) }
}
