import APNSModel
import APNSTransport
import Testing

@testable import APNSProvider

struct ProviderConfigurationProxyTests {
    private typealias Proxy = ProviderConfiguration.Proxy

    private static let nothing = ProxyEnvironment { _ in nil }

    private static func configuration(_ proxy: ProviderConfiguration.Proxy) -> ProviderConfiguration {
        var configuration = ProviderConfiguration(
            gateway: APNSGateway(.sandbox), credentials: .pkcs12([], passphrase: nil))
        configuration.proxy = proxy
        return configuration
    }

    @Test(arguments: [
        ("http://proxy.example:3128", "proxy.example", 3128), ("http://proxy.example", "proxy.example", 80),
        ("proxy.example:3128/", "proxy.example", 3128), ("HTTP://10.1.2.3:8080", "10.1.2.3", 8080),
        ("http://[fd00::1]:3128", "fd00::1", 3128), ("[fd00::1]", "fd00::1", 80),
    ])
    func `a URL names host and port`(url: String, host: String, port: Int) throws {
        #expect(try Proxy(url: url) == .http(host: host, port: port))
    }

    @Test(arguments: [("https://proxy.example", 443), ("HTTPS://proxy.example:3129/", 3129)])
    func `https is TLS with the proxy, which the system's authorities verify`(url: String, port: Int) throws {
        #expect(try Proxy(url: url) == .https(host: "proxy.example", port: port))
        let proxy = try #require(try Self.configuration(try Proxy(url: url)).transportProxy(Self.nothing))
        #expect(proxy.tls != nil && proxy.name == "proxy.example:\(port)")
        #expect(
            try Proxy(url: "https://u:p@a")
                == .https(host: "a", port: 443, credentials: ProxyCredentials(user: "u", password: "p")))
    }

    @Test func `authorities of a proxy that are none are an error`() {
        let configuration = Self.configuration(.https(host: "a", port: 1, trust: .authorities(pem: Array("no".utf8))))
        let error = #expect(throws: ProviderConfigurationError.self) {
            try configuration.transportProxy(Self.nothing)
        }
        #expect(error?.detail.hasPrefix("the proxy cannot be verified: ") == true)
    }

    @Test(arguments: [
        ("u:p", "u", "p"), ("u", "u", ""), ("u:", "u", ""), ("us%40er:p%3Aa%2fs%25s", "us@er", "p:a/s%s"),
        ("u:p:q", "u", "p:q"), ("u:p@q", "u", "p@q"), ("%C3%A4:%c3%b6", "ä", "ö"),
    ])
    func `user and password are percent-decoded`(text: String, user: String, password: String) throws {
        #expect(
            try Proxy(url: "http://\(text)@a:1")
                == .http(host: "a", port: 1, credentials: ProxyCredentials(user: user, password: password)))
    }

    @Test(arguments: [
        "", "http://", "ftp://secret@a:1", "socks5://u:secret@a", "http://a:0", "http://a:65536", "http://a:secret",
        "http://u:secret@", "http://u:secret%@a", "http://u:secret%2@a", "http://u:secret%zz@a", "http://u%3A:secret@a",
        "http://u:secret%0A@a", "http://u:secret%ff@a", "http://a/path/secret", "http://a b", "http://::1", "http://-a",
        "sec\nret://a",
    ])
    func `anything else is an error that does not quote the URL`(url: String) {
        let error = #expect(throws: ProviderConfigurationError.self) { try Proxy(url: url) }
        #expect(error?.detail.hasPrefix("the proxy has ") == true)
        #expect(error?.detail.contains("secret") == false)
        #expect(error?.detail.contains("\n") == false)
    }

    @Test func `credentials are Basic, and no description shows them`() throws {
        // The example of RFC 7617.
        let credentials = try #require(ProxyCredentials(user: "Aladdin", password: "open sesame"))
        #expect(credentials.authorization == "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==")
        let configuration = Self.configuration(.http(host: "proxy", port: 1, credentials: credentials))
        var dumped = ""
        dump(configuration, to: &dumped)
        for text in ["\(configuration)", String(reflecting: configuration), dumped, "\(credentials)"] {
            #expect(!text.contains("sesame") && !text.contains("Aladdin") && !text.contains("QWxh"))
        }
        #expect(ProxyCredentials(user: "a:b", password: "") == nil)
        #expect(ProxyCredentials(user: "a", password: "b\r\nX: y") == nil)
    }

    @Test func `a proxy that was chosen is used for every gateway, and none for none`() throws {
        var chosen = Self.configuration(
            .http(host: "proxy", port: 3128, credentials: ProxyCredentials(user: "u", password: "p")))
        chosen.gateway = APNSGateway(host: "127.0.0.1", port: 8443)
        let all = ProxyEnvironment { ["HTTPS_PROXY": "http://other:1", "NO_PROXY": "*"][$0] }
        #expect(
            try chosen.transportProxy(all) == TransportProxy(host: "proxy", port: 3128, authorization: "Basic dTpw"))
        let environment = ProxyEnvironment { ["HTTPS_PROXY": "http://other:1"][$0] }
        #expect(try Self.configuration(.none).transportProxy(environment) == nil)
        #expect(
            try Self.configuration(.environment).transportProxy(environment) == TransportProxy(host: "other", port: 1))
        #expect(try Self.configuration(.environment).transportProxy(Self.nothing) == nil)
    }

    @Test func `the environment is the default`() {
        #expect(
            Self.configuration(.environment).proxy
                == ProviderConfiguration(
                    gateway: APNSGateway(.sandbox), credentials: .pkcs12([], passphrase: nil)
                ).proxy)
    }

    @Test(arguments: [("a b", 1, "\"a b\""), ("[::1]", 1, "[::1]"), ("a", 0, "port 0"), ("a", 65_536, "65536")])
    func `an impossible proxy is refused, with what is wrong`(host: String, port: Int, quoted: String) {
        let configuration = Self.configuration(.http(host: host, port: port))
        let error = #expect(throws: ProviderConfigurationError.self) {
            try configuration.transportProxy(Self.nothing)
        }
        #expect(error?.detail.contains(quoted) == true && error?.detail.hasPrefix("the proxy ") == true)
    }
}
