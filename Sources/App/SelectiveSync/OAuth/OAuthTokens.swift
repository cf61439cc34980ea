public import Foundation

/// What a log-in left behind: where the org is, and the tokens that open it.
///
/// `Codable` for the storage that keeps it, which has to be one for secrets. No description shows a token.
public struct OAuthTokens: Hashable, Sendable, Codable {
    /// The instance URL: https, or plain http on this machine.
    public var instance: URL
    public var accessToken: String
    /// Nil where the log-in gave none: the user logs in again when the access token ends.
    public var refreshToken: String?
    /// Whose tokens these are: the member `id` of the server's answer. A renewal for somebody else is refused.
    public var identity: String?

    public init(instance: URL, accessToken: String, refreshToken: String?, identity: String? = nil) {
        self.instance = instance
        self.accessToken = accessToken
        self.refreshToken = refreshToken
        self.identity = identity
    }

    var session: ServerSession { ServerSession(instance: instance, accessToken: accessToken) }
}

extension OAuthTokens: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The host alone.
    public var description: String { "tokens for \(instance.host ?? "?")" }

    public var debugDescription: String { description }

    public var customMirror: Mirror { Mirror(self, children: ["instance": instance]) }
}
