import Foundation
import SelectiveSync
import Testing

struct OAuthTokenStateTests {
    private static let old = tokens("a0", "r0")
    private static let new = tokens("a1", "r1")

    private static func tokens(_ access: String, _ refresh: String) -> OAuthTokens {
        OAuthTokens(instance: URL(string: "https://example.com")!, accessToken: access, refreshToken: refresh)
    }

    private static let all: [OAuthTokenState] = [
        .unread, .loggedOut, .loggedIn(old), .unsaved(new, former: old), .refused(old),
    ]

    @Test func `the storage is read once`() {
        var state = OAuthTokenState.unread
        state.read(Self.old)
        #expect(state == .loggedIn(Self.old))
        for former in Self.all.dropFirst() {
            var state = former
            state.read(Self.new)
            #expect(state == former)
        }
    }

    @Test func `an empty storage is a user who is logged out`() {
        var state = OAuthTokenState.unread
        state.read(nil)
        #expect(state == .loggedOut)
    }

    @Test func `a call uses the access token that the server has not refused`() {
        #expect(Self.all.map { $0.usable(replacing: nil) } == [nil, nil, Self.old, nil, Self.old])
        #expect(Self.all.map { $0.usable(replacing: "a9") } == [nil, nil, Self.old, nil, Self.old])
        #expect(Self.all.map { $0.usable(replacing: "a0") } == [nil, nil, nil, nil, nil])
    }

    @Test func `tokens that are not stored are not those of the user`() {
        #expect(Self.all.map(\.tokens) == [nil, nil, Self.old, Self.old, Self.old])
    }

    @Test func `a replaced refresh token is unsaved`() {
        var state = OAuthTokenState.loggedIn(Self.old)
        state.replaced(by: Self.new)
        #expect(state == .unsaved(Self.new, former: Self.old))
    }

    @Test func `a refused refresh token leaves the access token`() {
        var state = OAuthTokenState.loggedIn(Self.old)
        state.refuse()
        #expect(state == .refused(Self.old))
    }

    @Test(arguments: [OAuthTokenState.unread, .loggedOut])
    func `a renewal that ends after the log-out changes nothing`(_ former: OAuthTokenState) {
        var state = former
        state.replaced(by: Self.new)
        #expect(state == former)
        state.refuse()
        #expect(state == former)
    }
}
