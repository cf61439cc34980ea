import APNSModel
import APNSProvider
import GatewayServer
import GatewayTestSupport
import GatewayTesting
import Testing

/// How a sender chooses the world of its connection.
@Suite(.timeLimit(.minutes(10)))
struct WorldHostTests {
    /// A sender that asks for the host of a world.
    func withProvider<Result>(
        _ gateway: TestGateway, world: String, _ body: (PushProvider) async throws -> Result
    ) async throws -> Result {
        let provider = try PushProvider(
            ProviderConfiguration(
                gateway: APNSGateway(host: "\(world).localhost", port: gateway.running.port),
                credentials: .token(key: gateway.signingKey, keyID: gateway.keyID, teamID: gateway.teamID),
                trust: .authorities(pem: gateway.caPEM)))
        do {
            let result = try await body(provider)
            await provider.close()
            return result
        } catch {
            await provider.close()
            throw error
        }
    }

    @Test func `a sender chooses a world by the host that it connects to`() async throws {
        try await withGateway(device: "ab12") { gateway in
            try await gateway.register("cd34", world: "orders")
            try await withProvider(gateway, world: "orders") { provider in
                let accepted = try await provider.send(gateway.notification(to: "cd34", payload: silent))
                #expect(accepted.isAccepted)
                let refused = try await provider.send(gateway.notification(to: "ab12", payload: silent))
                #expect(refused.reason == .badDeviceToken)
            }
            #expect(try await gateway.push(to: "cd34").reason == .badDeviceToken)
            #expect(try await gateway.total("/w/orders/api/notifications") == 2)
            #expect(try await gateway.total("/api/notifications") == 1)
            #expect(try await gateway.total("/w/default/api/notifications") == 1)
            #expect(try await gateway.control.call("GET", "/w/other/api/notifications").status == 404)
        }
    }

    @Test func `a sender that TLS tells nothing chooses by its first request, and only then`() async throws {
        try await withGateway { gateway in
            try await gateway.register("cd34", world: "orders")
            let sender = try await gateway.rawSender()
            var events = sender.observed.makeAsyncIterator()
            let usual = try gateway.fields(to: "cd34")
            func fields(_ authority: String) -> [(StaticString, String)] {
                usual.map { "\($0.0)" == ":authority" ? ($0.0, authority) : $0 }
            }
            try await sender.submit(fields("Orders.localhost:443"), body: silent)
            #expect(await sender.answer(on: 1, &events).answer.headers.first == ":status: 200")
            try await sender.submit(fields("other.localhost"), body: silent)
            let misdirected = await sender.answer(on: 3, &events).answer
            #expect(misdirected.headers.first == ":status: 421")
            #expect(misdirected.body == #"{"reason":"MisdirectedRequest"}"#)
            for (stream, authority) in [(Int32(5), "127.0.0.1"), (7, "orders.localhost")] {
                try await sender.submit(fields(authority), body: silent)
                #expect(await sender.answer(on: stream, &events).answer.headers.first == ":status: 200")
            }
            #expect(try await gateway.total("/w/orders/api/notifications?reason=MisdirectedRequest") == 1)
            #expect(try await gateway.total("/w/orders/api/notifications") == 4)
            #expect(try await gateway.control.call("GET", "/w/other/api/notifications").status == 404)
            try await sender.close()
        }
    }

    @Test func `a connection to no world stays there`() async throws {
        try await withGateway(device: "ab12") { gateway in
            let sender = try await gateway.rawSender()
            var events = sender.observed.makeAsyncIterator()
            try await sender.submit(try gateway.fields(to: "ab12"), body: silent)
            #expect(await sender.answer(on: 1, &events).answer.headers.first == ":status: 200")
            let other = try gateway.fields(to: "ab12").map {
                "\($0.0)" == ":authority" ? ($0.0, "orders.localhost") : $0
            }
            try await sender.submit(other, body: silent)
            #expect(await sender.answer(on: 3, &events).answer.headers.first == ":status: 421")
            try await sender.close()
        }
    }

    @Test(arguments: ["x_y.localhost", "a.b.localhost:8443", "-x.localhost"])
    func `a host that names no world is reported, and its request affects no world`(host: String) async throws {
        try await withGateway(device: "ab12") { gateway in
            let sender = try await gateway.rawSender()
            var events = sender.observed.makeAsyncIterator()
            let fields = try gateway.fields(to: "ab12").map { "\($0.0)" == ":authority" ? ($0.0, host) : $0 }
            try await sender.submit(fields, body: silent)
            let answer = await sender.answer(on: 1, &events).answer
            #expect(answer.headers.first == ":status: 421")
            #expect(answer.body == #"{"reason":"MisdirectedRequest"}"#)
            let journal = try await gateway.control.call("GET", "/api/notifications").body
            #expect(journal.contains("letters, digits and hyphens"), "\(journal)")
            #expect(gateway.deliveries(to: "ab12").isEmpty)
            try await sender.close()
        }
    }

    @Test func `TLS for a host that names no world begins, and every request is refused`() async throws {
        try await withGateway(device: "ab12") { gateway in
            let sender = try await RawSender(
                port: gateway.running.port, caPEM: gateway.caPEM, serverName: "x_y.localhost")
            var events = sender.observed.makeAsyncIterator()
            let fields = try gateway.fields(to: "ab12")
            for stream in [Int32(1), 3] {
                try await sender.submit(fields, body: silent)
                let answer = await sender.answer(on: stream, &events).answer
                #expect(answer.headers.first == ":status: 421")
            }
            let journal = try await gateway.control.call("GET", "/api/notifications").body
            #expect(journal.contains("x_y.localhost") && journal.contains("letters, digits and hyphens"), "\(journal)")
            try await sender.close()
        }
    }

    @Test func `a sender without authority chooses its world by the header host`() async throws {
        try await withGateway { gateway in
            try await gateway.register("cd34", world: "orders")
            let sender = try await gateway.rawSender()
            var events = sender.observed.makeAsyncIterator()
            var fields = try gateway.fields(to: "cd34").filter { "\($0.0)" != ":authority" }
            fields.append(("host", "orders.localhost"))
            try await sender.submit(fields, body: silent)
            #expect(await sender.answer(on: 1, &events).answer.headers.first == ":status: 200")
            #expect(try await gateway.total("/w/orders/api/notifications") == 1)
            try await sender.close()
        }
    }
}
