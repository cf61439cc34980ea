import GatewayConfiguration
import Testing

struct WebhookURLTests {
    @Test(
        arguments: [
            ("http://localhost", "http://localhost:80/"), ("http://127.0.0.1:9/a?b=c", "http://127.0.0.1:9/a?b=c"),
            ("http://[::1]:9", "http://[::1]:9/"), ("http://[::1]", "http://[::1]:80/"),
            ("http://a:9?b", "http://a:9/?b"), ("https://a", "https://a:443/"), ("https://a:9/b", "https://a:9/b"),
        ])
    func `a URL is read`(text: String, shown: String) throws {
        #expect(try #require(WebhookURL(text)).description == shown)
    }

    @Test(arguments: [
        "", "http://", "http://:9/", "http://a b/", "http://a:x/", "http://a/#b", "ftp://a/", "http://[a/", "https://",
    ])
    func `a text that is not a URL of a webhook is refused`(text: String) { #expect(WebhookURL(text) == nil) }

    @Test func `a URL has what a request needs`() throws {
        let url = try #require(WebhookURL("https://[::1]/a?b=c"))
        #expect(url.host == "::1" && url.port == 443 && url.isSecure)
        #expect(url.target == "/a?b=c" && url.authority == "[::1]:443")
        #expect(try #require(WebhookURL("http://a?b")).target == "/?b")
    }

    @Test(arguments: [
        ("http://localhost:9", true), ("http://127.0.0.9", true), ("http://[::1]", true), ("http://192.0.2.1", false),
        ("http://localhost.example", false),
    ])
    func `events stay on this machine only at a loopback address`(text: String, isLoopback: Bool) throws {
        #expect(try #require(WebhookURL(text)).isLoopback == isLoopback)
    }

    @Test func `a URL that is too long is refused`() {
        #expect(WebhookURL("http://a/" + String(repeating: "x", count: 2048)) == nil)
    }
}
