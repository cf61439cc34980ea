import APNSModel
import Testing

@testable import APNSProvider

struct ProxyEnvironmentTests {
    private typealias Proxy = ProviderConfiguration.Proxy

    private static func proxy(
        _ variables: [String: String], for gateway: APNSGateway = APNSGateway(.production)
    ) throws -> ProviderConfiguration.Proxy? {
        try ProxyEnvironment { variables[$0] }.proxy(for: gateway)
    }

    @Test(arguments: [
        ([:], nil), (["HTTPS_PROXY": "http://upper:1"], "upper"), (["https_proxy": "http://lower:1"], "lower"),
        (["HTTPS_PROXY": "http://upper:1", "https_proxy": "http://lower:1"], "lower"),
        (["HTTPS_PROXY": "http://upper:1", "https_proxy": ""], nil), (["HTTP_PROXY": "http://other:1"], nil),
        (["HTTPS_PROXY": "http://upper:1", "NO_PROXY": "push.apple.com"], nil),
        (["HTTPS_PROXY": "http://upper:1", "NO_PROXY": "push.apple.com", "no_proxy": "example.com"], "upper"),
        (["HTTPS_PROXY": "http://upper:1", "NO_PROXY": "example.com", "no_proxy": "*"], nil),
        (["HTTPS_PROXY": "upper:1"], "upper"),
    ])
    func `the variables choose the proxy, lower case first`(variables: [String: String], host: String?) throws {
        #expect(try Self.proxy(variables) == host.map { .http(host: $0, port: 1) })
    }

    @Test(arguments: ["localhost", "a.localhost", "127.0.0.1", "::1"])
    func `a gateway on this machine is reached without the proxy of the environment`(host: String) throws {
        let variables = ["HTTPS_PROXY": "http://proxy:1"]
        #expect(try Self.proxy(variables, for: APNSGateway(host: host, port: 8443)) == nil)
        // Also where the variable is of no use.
        #expect(try Self.proxy(["HTTPS_PROXY": "socks5://a"], for: APNSGateway(host: host, port: 8443)) == nil)
    }

    @Test func `a variable that names no proxy is an error that names it and not its value`() {
        let error = #expect(throws: ProviderConfigurationError.self) {
            try Self.proxy(["HTTPS_PROXY": "socks5://user:secret@host:1"])
        }
        #expect(
            error?.detail
                == "the environment variable HTTPS_PROXY: the proxy has the scheme socks5, and only http:// and https:// are "
                + "supported; NO_PROXY lists the hosts that are reached without it"
        )
    }
}
