import Testing

@testable import APNSModel

struct BearerTokenTests {
    @Test(arguments: ["Bearer secret", "bearer secret", "BEARER secret"])
    func `the token is found in its header`(authorization: String) {
        #expect(BearerToken.matches("secret", authorization: authorization))
    }

    @Test(arguments: [
        nil, "", "secret", "Bearer", "Bearer  secret", "Bearer ", "Basic secret", "Bearer secre", "Bearer secrets",
        "Bearer Secret",
        "Bearer secretsecret", "Bearer  ", "Bearer secret ",
    ])
    func `anything else is refused`(authorization: String?) {
        #expect(!BearerToken.matches("secret", authorization: authorization))
    }

    @Test func `an empty token matches nothing`() {
        #expect(!BearerToken.matches("", authorization: "Bearer "))
        #expect(!BearerToken.matches("", authorization: "Bearer x"))
    }

    @Test func `a token may have a space`() {
        #expect(BearerToken.matches("a b", authorization: "Bearer a b"))
    }
}
