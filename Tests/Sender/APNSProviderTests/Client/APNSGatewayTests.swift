import Testing

@testable import APNSProvider

struct APNSGatewayTests {
    @Test(arguments: [
        ("https://127.0.0.1:8443", "127.0.0.1", 8443), ("https://api.push.apple.com", "api.push.apple.com", 443),
        ("https://[::1]:2197/", "::1", 2197), ("https://[::1]", "::1", 443),
    ])
    func `a URL names host and port`(url: String, host: String, port: Int) {
        #expect(APNSGateway(url: url) == APNSGateway(host: host, port: port))
    }

    @Test(arguments: [
        "http://localhost:8443", "localhost:8443", "https://", "https://:443", "https://a:0", "https://a:65536",
        "https://a:x", "https://a/b", "https://a?b", "https://u@a", "https://a b", "https://[::1",
    ])
    func `anything else is no gateway`(url: String) { #expect(APNSGateway(url: url) == nil) }

    @Test func `the authority leaves the usual port out`() {
        #expect(APNSGateway(host: "a", port: 443).authority == "a")
        #expect(APNSGateway(host: "::1", port: 8443).authority == "[::1]:8443")
    }
}
