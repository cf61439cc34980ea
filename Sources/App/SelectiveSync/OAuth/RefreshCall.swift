import Foundation
import PushDispatch

/// The renewal of an access token (docs/reference/selective-sync.md 6.7): the form that is sent and the
/// reading of the reply. No I/O.
package struct RefreshCall: Sendable {
    /// The form. It is sent in the body, because addresses and headers are logged and secrets must not be.
    package let body: [UInt8]
    private let former: OAuthTokens

    private static let limits = JSONLimits(maximumBytes: maximumReplyBytes, maximumDepth: 8, maximumValues: 256)
    static let maximumReplyBytes = 65_536

    /// - Throws: `noSession` if there is no refresh token.
    package init(_ tokens: OAuthTokens, for app: OAuthApp) throws(FetchError) {
        guard let refreshToken = tokens.refreshToken else {
            throw FetchError(.noSession, advice: .logIn, "there is no refresh token")
        }
        former = tokens
        var form = [
            ("grant_type", "refresh_token"), ("refresh_token", refreshToken), ("client_id", app.clientID),
        ]
        if let secret = app.clientSecret { form.append(("client_secret", secret)) }
        body = Array(RESTCall.query(form).utf8)
    }

    /// The result of a renewal.
    package struct Renewal: Sendable {
        package var tokens: OAuthTokens
        /// Why the reply cannot be used although it contains a new refresh token. The old one is no longer valid, so the new
        /// one has to be stored.
        package var error: FetchError?
        /// Whether the tokens are stored already.
        package var isStored = false
    }

    /// - Throws: A refusal, or `badReply`. The old tokens stay valid.
    package func read(_ reply: RESTReply) throws(FetchError) -> Renewal {
        guard reply.status == 200 else { throw RefreshCall.refusal(reply) }
        let members = try reply.object(RefreshCall.limits)
        guard members["error"] == nil else { throw reply.bad("the reply is an error with a success status") }
        var renewal = Renewal(tokens: former)
        if let rotated = members["refresh_token"]?.string, RefreshCall.isToken(rotated) {
            renewal.tokens.refreshToken = rotated
        }
        do throws(FetchError) {
            try renew(&renewal.tokens, from: members, reply)
        } catch {
            guard error.code != .otherUser, renewal.tokens.refreshToken != former.refreshToken else { throw error }
            renewal.error = error
        }
        return renewal
    }

    private func renew(
        _ tokens: inout OAuthTokens, from members: [String: JSONValue], _ reply: RESTReply
    ) throws(FetchError) {
        guard let accessToken = members["access_token"]?.string, RefreshCall.isToken(accessToken) else {
            throw reply.bad("the reply has no access token")
        }
        if let kind = members["token_type"]?.string, kind.lowercased() != "bearer" {
            throw reply.bad("the access token is of another type than Bearer")
        }
        if let identity = members["id"]?.string {
            guard tokens.identity == nil || tokens.identity == identity else {
                throw FetchError(
                    .otherUser, status: reply.status, advice: .logIn, "the renewal is for another user")
            }
        }
        var instance = tokens.instance
        switch members["instance_url"] ?? .null {
        case .null: break
        case .string(let text) where text.utf8.count <= 2_048:
            guard let url = URL(string: text), SecureAddress.isSecure(url) else {
                throw reply.bad("instance_url is not an https address")
            }
            instance = url
        default: throw reply.bad("instance_url is not an https address")
        }
        tokens.accessToken = accessToken
        tokens.instance = instance
        if tokens.identity == nil { tokens.identity = members["id"]?.string }
    }

    /// Whether it can be sent in a header.
    private static func isToken(_ text: String) -> Bool {
        (1...16_384).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7e).contains($0) }
    }

    private static func refusal(_ reply: RESTReply) -> FetchError {
        let members = (try? JSONReader.read(reply.body, limits: limits))?.object
        guard !(300..<400).contains(reply.status) else {
            return FetchError(
                .redirected, status: reply.status, advice: .retryLater, "the server answers from another address")
        }
        guard let word = members?["error"]?.string, isWord(word) else {
            // This is not an answer of the authorization server, so the user is not logged out because of it.
            return FetchError(
                .unexplained, status: reply.status, advice: .retryLater,
                "the renewal was refused without a readable error", retryAfterMilliseconds: reply.retryAfterMilliseconds
            )
        }
        let isPassing =
            reply.status >= 500 || reply.status == 429 || reply.status == 408
            || ["server_error", "temporarily_unavailable"].contains(word)
        return FetchError(
            FetchError.Code(word), status: reply.status, advice: isPassing ? .retryLater : .logIn,
            "the renewal was refused", retryAfterMilliseconds: reply.retryAfterMilliseconds)
    }

    private static func isWord(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { (0x61...0x7a).contains($0) || $0 == UInt8(ascii: "_") }
    }
}
