import Foundation
public import SelectiveSync

/// What the user types to log in.
public struct LogInForm: Hashable, Sendable {
    public var instance = ""
    public var user = ""
    public var accessToken = ""
    /// Empty: the user has to log in again when the access token expires.
    public var refreshToken = ""

    public init() {}

    /// Nil while something is missing.
    public var tokens: OAuthTokens? {
        guard let address = URL(string: instance), !user.isEmpty, !accessToken.isEmpty else { return nil }
        return OAuthTokens(
            instance: address, accessToken: accessToken, refreshToken: refreshToken.isEmpty ? nil : refreshToken,
            user: user)
    }
}
