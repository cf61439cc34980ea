import APNSModel
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
        "https://a:+443", "https://a:99999999999999999999", "https://-a", "https://a..b", "https://256.1.1.1",
        "https://a\r\nb", "https://[a]", "https://[::1::]", "https://::1", "https://ä.example",
    ])
    func `anything else is no gateway`(url: String) { #expect(APNSGateway(url: url) == nil) }

    @Test(arguments: [
        (APNSGateway(host: "a", port: 65_536), "65536"), (APNSGateway(host: "a", port: 0), "0"),
        (APNSGateway(host: "a", port: -1), "-1"), (APNSGateway(host: "", port: 443), "\"\""),
        (APNSGateway(host: "a b", port: 443), "a b"), (APNSGateway(host: "[::1]", port: 443), "[::1]"),
        (APNSGateway(host: String(repeating: "a", count: 300)), "… (300 characters)"),
    ])
    func `a provider for an impossible gateway is refused, with what is wrong`(gateway: APNSGateway, quoted: String) {
        let configuration = ProviderConfiguration(
            gateway: gateway, credentials: .pkcs12([], passphrase: nil))
        let error = #expect(throws: ProviderConfigurationError.self) { try PushProvider(configuration) }
        #expect(error?.detail.contains(quoted) == true)
        #expect(error?.detail.contains("gateway") == true)
    }

    @Test func `Apple's services and the simulator have names`() {
        #expect(APNSGateway.production.description == "https://api.push.apple.com:443")
        #expect(APNSGateway.sandbox == APNSGateway(host: "api.sandbox.push.apple.com", port: 443))
        #expect(APNSGateway.production(port: .alternative).port == 2197)
        #expect(APNSGateway.sandbox(port: .alternative) == APNSGateway(host: "api.sandbox.push.apple.com", port: 2197))
        #expect(APNSGateway.sandbox(port: .standard) == .sandbox)
        #expect(APNSGateway.simulator() == APNSGateway(url: "https://127.0.0.1:8443"))
        #expect(APNSGateway.simulator(port: 9000).port == 9000)
    }

    @Test func `a URL that is no gateway is refused, with the right form`() throws {
        #expect(try APNSGateway(parsing: "https://[::1]:2197/") == APNSGateway(host: "::1", port: 2197))
        for (url, mention) in [
            ("http://localhost:8443", "scheme http"), ("https://a/b", "without user, path"), ("", "\"\""),
        ] {
            let error = #expect(throws: APNSValueError.self) { try APNSGateway(parsing: url) }
            #expect(error?.code == .gateway && error?.detail.contains(mention) == true)
            #expect(error?.detail.contains("https://HOST:PORT") == true)
        }
        let error = #expect(throws: APNSValueError.self) { try APNSGateway(parsing: "https://user:secret@host") }
        #expect(error.map { "\($0)".contains("secret") } == false)
    }

    @Test func `the authority leaves the usual port out`() {
        #expect(APNSGateway(host: "a", port: 443).authority == "a")
        #expect(APNSGateway(host: "::1", port: 8443).authority == "[::1]:8443")
    }
}
