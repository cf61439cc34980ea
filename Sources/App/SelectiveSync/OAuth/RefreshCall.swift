import Foundation
import PushDispatch

/// The renewal of an access token (docs/reference/selective-sync.md 6.7): its form, and the reading of its reply. No I/O.
package struct RefreshCall: Sendable {
    /// A form in the body; the secrets stand nowhere else.
    package let body: [UInt8]
    private let former: OAuthTokens

    private static let limits = JSONLimits(maximumBytes: maximumReplyBytes, maximumDepth: 8, maximumValues: 256)
    static let maximumReplyBytes = 65_536

    /// - Throws: `noSession` where there is no refresh token.
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

    /// What a reply brings.
    package struct Renewal: Sendable {
        package var tokens: OAuthTokens
        /// The reply cannot be used, and yet holds a new refresh token: the former one is void, so the new one has to be
        /// kept.
        package var fault: FetchError?
        /// Whether the storage has them already.
        package var isStored = false
    }

    /// - Throws: A refusal, or `badReply`; the former tokens stay what they were.
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
            renewal.fault = error
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

    /// A header has to be able to hold it.
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
            // Whoever wrote this, it was not the authorization server: no reason to log anybody out.
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
