import APNSModel
import APNSProvider
import GatewayTesting
import Testing

struct ChannelsPageTests {
    @Test(.timeLimit(.minutes(10))) func `the page's code sends to a channel and deletes it`() async throws {
        try await withGateway { gateway in
            let payload = Array(#"{"aps":{"timestamp":1,"event":"update","content-state":{}}}"#.utf8)
            try await announce(payload, for: gateway.topic, with: gateway.configuration)
            #expect(try await broadcast(payload, of: gateway.topic, gateway.provider, gateway.configuration).isAccepted)
            let channels = try ChannelManager(gateway.configuration)
            #expect(try await channels.list(of: gateway.topic).count == 1)
            await channels.close()
        }
    }

    @Test func `the page's proxy is used`() throws {
        var configuration = ProviderConfiguration(
            gateway: APNSGateway(.sandbox), credentials: .pkcs12([], passphrase: nil))
        useProxy("secret", in: &configuration)
        #expect(
            configuration.proxy
                == .http(
                    host: "proxy.example.com", port: 3128,
                    credentials: ProxyCredentials(user: "push", password: "secret")))
    }
}
