import Foundation
import PushDispatch
import SelectiveSync
import Testing

struct RefreshCallTests {
    private static let instance = URL(string: "https://one.example.com")!
    private let tokens = OAuthTokens(
        instance: RefreshCallTests.instance, accessToken: "old-access", refreshToken: "old&refresh=", identity: "me")
    private let app = OAuthApp(
        tokenAddress: URL(string: "https://login.example.com/services/oauth2/token")!, clientID: "client",
        clientSecret: "hidden")

    private func read(_ body: String, status: Int = 200) throws(FetchError) -> RefreshCall.Renewal {
        try RefreshCall(tokens, for: app).read(RESTReply(status: status, body: Array(body.utf8)))
    }

    @Test func `the form is encoded, with the secret if there is one`() throws {
        let body = String(decoding: try RefreshCall(tokens, for: app).body, as: UTF8.self)
        #expect(
            body == "grant_type=refresh_token&refresh_token=old%26refresh%3D&client_id=client&client_secret=hidden")
        var open = app
        open.clientSecret = nil
        #expect(!String(decoding: try RefreshCall(tokens, for: open).body, as: UTF8.self).contains("secret"))
        var none = tokens
        none.refreshToken = nil
        #expect { try RefreshCall(none, for: app) } throws: { ($0 as? FetchError)?.advice == .logIn }
    }

    @Test func `a renewal returns an access token, and possibly another host and a new refresh token`() throws {
        let plain = try read(#"{"access_token":"new","token_type":"Bearer","issued_at":"1","id":"me"}"#)
        #expect(plain.tokens.accessToken == "new" && plain.tokens.refreshToken == "old&refresh=")
        #expect(plain.tokens.instance == Self.instance && plain.error == nil)
        let moved = try read(
            #"{"access_token":"new","instance_url":"https://two.example.com","refresh_token":"next"}"#)
        #expect(moved.tokens.refreshToken == "next" && moved.tokens.instance.host == "two.example.com")
        #expect(moved.tokens.identity == "me")
    }

    @Test(arguments: [
        "http://two.example.com", "ftp://x", "https://", "//x", "", "https://user:word@two.example.com", "https:///x",
    ])
    func `the host only changes to an https address, but a new refresh token is kept in any case`(address: String)
        throws
    {
        let body = #"{"access_token":"new","instance_url":"\#(address)""#
        #expect { try read(body + "}") } throws: { ($0 as? FetchError)?.advice == .retryLater }
        let renewal = try read(body + #","refresh_token":"next"}"#)
        #expect(renewal.error?.code == .badReply)
        #expect(renewal.tokens.refreshToken == "next" && renewal.tokens.accessToken == "old-access")
        #expect(renewal.tokens.instance == Self.instance)
    }

    @Test func `a renewal for another user is refused, and its tokens are not kept`() {
        #expect {
            try read(#"{"access_token":"new","id":"you","refresh_token":"theirs"}"#)
        } throws: { ($0 as? FetchError)?.code == .otherUser && ($0 as? FetchError)?.advice == .logIn }
    }

    @Test(arguments: [
        "", "<html>", "[]", "{}", #"{"access_token":7}"#, #"{"access_token":""}"#, #"{"access_token":"a\r\nX: y"}"#,
        #"{"access_token":"new","token_type":"mac"}"#, #"{"access_token":"new","error":"invalid_grant"}"#,
        #"{"access_token":"new","instance_url":7}"#,
    ])
    func `an invalid success changes nothing and does not log out`(body: String) {
        #expect { try read(body) } throws: {
            ($0 as? FetchError)?.code == .badReply && ($0 as? FetchError)?.advice == .retryLater
        }
    }

    @Test(
        arguments: [
            (400, #"{"error":"invalid_grant","error_description":"secret"}"#, "invalid_grant", .logIn),
            (400, #"{"error":"invalid_client_id"}"#, "invalid_client_id", .logIn),
            (400, #"{"error":"temporarily_unavailable"}"#, "temporarily_unavailable", .retryLater),
            (503, #"{"error":"unknown"}"#, "unknown", .retryLater),
            (429, #"{"error":"rate"}"#, "rate", .retryLater), (403, "<html>secret", "unexplained", .retryLater),
            (400, "", "unexplained", .retryLater), (400, #"{"error":"Jane Doe"}"#, "unexplained", .retryLater),
            (302, "", "redirected", .retryLater), (511, "", "unexplained", .retryLater),
        ] as [(Int, String, String, FetchError.Advice)])
    func `only an error of the authorization server requires a log-in`(
        status: Int, body: String, code: String, advice: FetchError.Advice
    ) {
        #expect { try read(body, status: status) } throws: { error in
            guard let error = error as? FetchError else { return false }
            return error.code.rawValue == code && error.advice == advice && !"\(error)".contains("secret")
        }
    }

    @Test func `no description shows a token or a secret`() {
        var dumped = ""
        dump(tokens, to: &dumped)
        dump(app, to: &dumped)
        let shown = "\(tokens) \(String(reflecting: tokens)) \(app) \(String(reflecting: app)) \(dumped)"
        #expect(!["old-access", "old&refresh=", "hidden"].contains { shown.contains($0) })
    }
}
