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
}
