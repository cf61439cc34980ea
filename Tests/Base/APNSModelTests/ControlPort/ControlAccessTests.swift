import APNSModel
import Testing

struct ControlAccessTests {
    @Test func `without a token the host has to be this machine or the address that is listened on`() {
        let access = ControlAccess(host: "192.168.1.5", token: nil)
        #expect(access.accepts(host: "localhost:8080"))
        #expect(access.accepts(host: "[::1]:8080"))
        #expect(access.accepts(host: "192.168.1.5:8080"))
        #expect(!access.accepts(host: "attacker.example:8080"))
        #expect(!access.accepts(host: ""))
        #expect(access.accepts(authorization: nil))
        #expect(access.accepts(authorization: "Bearer anything"))
    }

    @Test func `with a token any host is accepted, and the token has to be shown`() {
        let access = ControlAccess(host: "0.0.0.0", token: "secret")
        #expect(access.accepts(host: "gateway.example"))
        #expect(access.accepts(authorization: "Bearer secret"))
        #expect(!access.accepts(authorization: "Bearer guess"))
        #expect(!access.accepts(authorization: nil))
    }
}
