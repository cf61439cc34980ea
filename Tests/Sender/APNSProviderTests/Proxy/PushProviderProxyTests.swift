import APNSModel
import ProxyTestSupport
import Testing

@testable import APNSProvider

/// The provider with a gateway behind a proxy.
@Suite(.timeLimit(.minutes(10))) struct PushProviderProxyTests {
    @Test func `notifications go through the proxy, one tunnel for each connection`() async throws {
        try await ScriptedGateway.with(script: { _ in .accept }) { gateway, configuration in
            try await TestProxy.with { proxy in
                var configuration = configuration
                configuration.proxy = .http(
                    host: "127.0.0.1", port: proxy.port, credentials: ProxyCredentials(user: "u", password: "p"))
                let provider = try PushProvider(configuration)
                for number in 0..<10 {
                    #expect(try await provider.send(TestNotifications.notification(number)).isAccepted)
                }
                await provider.close()
                #expect(proxy.heads.count == 1)
                #expect(proxy.heads.first?.contains("\r\nProxy-Authorization: Basic dTpw\r\n") == true)
                #expect(proxy.heads.first?.hasPrefix("CONNECT localhost:\(gateway.port) ") == true)
            }
        }
    }

    @Test func `a proxy that wants other credentials ends what waits at once, without a secret in the error`()
        async throws
    {
        let script: @Sendable (String) -> TestProxy.Answer = { _ in
            .text("HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm=\"x\"\r\n\r\n")
        }
        try await ScriptedGateway.with(script: { _ in .accept }) { gateway, configuration in
            try await TestProxy.with(script) { proxy in
                var configuration = configuration
                configuration.proxy = .http(
                    host: "127.0.0.1", port: proxy.port, credentials: ProxyCredentials(user: "u", password: "secret"))
                configuration.connectAttempts = 100
                configuration.backOff = .seconds(60)
                let provider = try PushProvider(configuration)
                let error = await #expect(throws: APNSSendError.self) {
                    _ = try await provider.send(TestNotifications.notification(1))
                }
                await provider.close()
                #expect(error?.code == .connectionFailed && error?.isSafeToRetry == true)
                #expect(
                    error?.detail
                        == "the proxy 127.0.0.1:\(proxy.port) does not accept the user and the password (status 407)")
                #expect(proxy.heads.count == 1)
            }
        }
    }

    @Test func `each answer of a proxy that opens nothing is a failed attempt, and the waits grow`() async throws {
        try await ScriptedGateway.with(script: { _ in .accept }) { _, configuration in
            try await TestProxy.with({ _ in .text("HTTP/1.1 503 Busy\r\n\r\n") }) { proxy in
                var configuration = configuration
                configuration.proxy = .http(host: "127.0.0.1", port: proxy.port)
                configuration.connectAttempts = 4
                configuration.backOff = .milliseconds(1)
                let provider = try PushProvider(configuration)
                let error = await #expect(throws: APNSSendError.self) {
                    _ = try await provider.send(TestNotifications.notification(1))
                }
                await provider.close()
                #expect(error?.detail.contains("it answered 503 Busy") == true)
                #expect(proxy.heads.count == 4)
            }
        }
    }
}
