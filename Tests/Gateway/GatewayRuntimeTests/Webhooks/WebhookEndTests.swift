import GatewayConfiguration
import GatewayTestSupport
import GatewayTesting
import Testing

@testable import GatewayRuntime
@testable import GatewayServer

/// The webhooks of worlds that are removed, and of those that come after them.
@Suite(.timeLimit(.minutes(10)))
struct WebhookEndTests {
    /// A gateway on free ports, with a webhook.
    private func configuration(_ url: String, grace: Duration) throws -> GatewayConfiguration {
        var configuration = GatewayConfiguration()
        (configuration.port, configuration.controlPort, configuration.grace) = (0, 0, grace)
        configuration.credentials = .given(try TestGateway.credentials.get())
        configuration.webhooks = [try #require(WebhookURL(url))]
        return configuration
    }

    @Test func `webhooks of a removed world get the events that wait for them`() async throws {
        try await withGateway { gateway in
            // While the first event waits for its second try, the world is removed.
            try await HookServer.with(statuses: [500, 200]) { server, url in
                let webhook = #"{"url":"\#(url)","events":["journal-emptied"]}"#
                #expect(try await gateway.control.call("POST", "/w/orders/api/webhooks", webhook).status == 201)
                for _ in 1...20 { _ = try await gateway.control.call("DELETE", "/w/orders/api/notifications") }
                #expect(try await gateway.control.call("DELETE", "/api/worlds/orders").status == 204)
                #expect(await gateway.running.worlds.drainWebhooks(within: .seconds(600)) == 0)
                #expect(server.heads.count == 21)
            }
        }
    }

    @Test func `events that webhooks of a removed world do not take are logged`() async throws {
        let log = LoggedLines()
        // Nothing listens there; each event is tried several times, with pauses.
        var configuration = try configuration("http://127.0.0.1:1/", grace: .seconds(1))
        configuration.log(to: log)
        let running = try await GatewayServer(configuration).start()
        let control = ControlClient(port: running.controlPort)
        for _ in 1...3 { #expect(try await control.call("POST", "/w/orders/api/reset").status == 204) }
        #expect(try await control.call("DELETE", "/api/worlds/orders").status == 204)
        _ = await running.worlds.drainWebhooks(within: .zero)
        #expect(
            log.all == [
                "warning Events for webhooks of a removed world were not delivered.: events=3 world=orders"
            ])
        await running.shutdown()
    }

    @Test func `events of a world that is made again have other ids`() async throws {
        try await HookServer.with { server, url in
            let configuration = try configuration(url, grace: .seconds(600))
            var ids: [String] = []
            var posts = server.bodies.makeAsyncIterator()
            // Also in another gateway, as after a restart.
            for _ in 1...2 {
                let running = try await GatewayServer(configuration).start()
                let control = ControlClient(port: running.controlPort)
                for _ in 1...2 {
                    #expect(try await control.call("POST", "/w/orders/api/reset").status == 204)
                    #expect(try await control.call("DELETE", "/api/worlds/orders").status == 204)
                }
                await running.shutdown()
                // Each time the world is made, reset and removed.
                for _ in 1...6 { ids.append(await posts.post()["id"] as? String ?? "") }
            }
            #expect(Set(ids).count == 12 && !ids.contains(""), "\(ids)")
        }
    }
}
