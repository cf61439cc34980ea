/// What an `OAuthSession` knows about its tokens. No I/O.
package enum OAuthTokenState: Hashable, Sendable {
    /// The storage is not read yet.
    case unread
    case loggedOut
    case loggedIn(OAuthTokens)
    /// The server has replaced the refresh token, and `fresh` is not stored yet. No call gets these tokens before that.
    case unsaved(_ fresh: OAuthTokens, former: OAuthTokens)
    /// The server has refused the refresh token for good. It may still accept the access token.
    case refused(OAuthTokens)

    /// The tokens of the user who is logged in, without those that are not stored; nil if nobody is known to be logged in.
    package var tokens: OAuthTokens? {
        switch self {
        case .unread, .loggedOut: nil
        case .loggedIn(let tokens), .refused(let tokens): tokens
        case .unsaved(_, let former): former
        }
    }

    /// The tokens that a call uses without a renewal; nil if a renewal has to be tried first.
    ///
    /// - Parameter refused: The access token that the server has refused; nil before the first try of a call.
    package func usable(replacing refused: String?) -> OAuthTokens? {
        switch self {
        case .unread, .loggedOut, .unsaved: nil
        case .loggedIn(let tokens), .refused(let tokens): tokens.accessToken == refused ? nil : tokens
        }
    }

    /// The storage is read. A log-in or log-out during the reading counts more than its result.
    package mutating func read(_ stored: OAuthTokens?) {
        guard self == .unread else { return }
        self = stored.map { .loggedIn($0) } ?? .loggedOut
    }

    /// The server has replaced the refresh token.
    package mutating func replaced(by fresh: OAuthTokens) {
        guard let tokens else { return }
        self = .unsaved(fresh, former: tokens)
    }

    /// The server has refused the refresh token for good.
    package mutating func refuse() {
        guard let tokens else { return }
        self = .refused(tokens)
    }
}
