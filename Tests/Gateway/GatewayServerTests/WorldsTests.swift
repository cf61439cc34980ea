import APNSModel
import DevelopmentCredentials
import GatewayConfiguration
import GatewayCore
import GatewayRuntime
import GatewayTestSupport
import GatewayTesting
import NIOCore
import TestSupport
import Testing

@testable import GatewayListener
@testable import GatewayServer

@Suite(.timeLimit(.minutes(10)))
struct WorldsTests {
    @Test func `a world has a port of its own, which goes with it`() async throws {
        try await withGateway { gateway in
            let made = try await gateway.control.call(
                "POST", "/api/worlds", #"{"name":"orders","port":0,"devices":"open","environment":"production"}"#)
            #expect(made.status == 201, "\(made.body)")
            #expect(made.headers["location"] == "/api/worlds/orders")
            #expect(made.json["environment"] as? String == "production")
            let port = try #require(made.json["port"] as? Int)
            let channel = try #require(gateway.running.listener.channel(of: port))
            let sender = try await RawSender(port: port, caPEM: gateway.caPEM)
            var events = sender.observed.makeAsyncIterator()
            try await sender.submit(try gateway.fields(to: "ab12"), body: silent)
            #expect(await sender.answer(on: 1, &events).answer.headers.first == ":status: 200")
            #expect(try await gateway.total("/w/orders/api/notifications") == 1)

            #expect(try await gateway.control.call("DELETE", "/api/worlds/orders").status == 204)
            var goAway: String?
            while let event = await events.next() { if case .goAway(_, _, let data) = event { goAway = data } }
            #expect(goAway == #"{"reason":"Shutdown"}"#)
            #expect(!channel.isActive)
            #expect(gateway.running.listener.channel(of: port) == nil)
            #expect(try await gateway.control.call("GET", "/api/worlds/orders").status == 404)
            #expect(try await gateway.control.call("GET", "/w/orders/api/notifications").status == 404)
        }
    }

    @Test func `a port that is opened while a gateway stops is closed with the others`() async throws {
        var configuration = GatewayConfiguration()
        (configuration.port, configuration.controlPort, configuration.grace) = (0, 0, .seconds(600))
        configuration.credentials = .given(try TestGateway.credentials.get())
        configuration.devices = .open
        try await configuration.run { gateway in
            let (control, running) = (gateway.control, gateway.running)
            // The gateway waits for an answer that does not come.
            let delayed = try await control.call("POST", "/api/faults", #"{"effect":{"delay":"never"}}"#)
            #expect(delayed.status == 201, "\(delayed.body)")
            let sender = try await gateway.rawSender()
            try await sender.submit(try gateway.fields(to: "ab12"), body: silent)
            let isJudged = await eventually { running.read { $0.journalCount } == 1 }
            #expect(isJudged)
            async let stopped: Void = running.shutdown()
            let isStopping = await eventually { !running.listener.isOpen }
            #expect(isStopping)
            let made = try await control.call("POST", "/api/worlds", #"{"name":"late","port":0}"#)
            let channel = (made.json["port"] as? Int).flatMap { running.listener.channel(of: $0) }
            try await sender.close()
            await stopped
            #expect(made.status == 201, "\(made.body)")
            #expect(channel?.isActive == false)
        }
    }

    private func lose(_ world: String?) throws -> FaultRule {
        FaultRule(.lose, match: FaultRule.Match(world: try world.map { try #require(WorldName($0)) }))
    }

    @Test func `a rule that names a world is taken by that world alone, and comes back with a reset`() async throws {
        var configuration = GatewayConfiguration()
        (configuration.port, configuration.controlPort) = (0, 0)
        configuration.credentials = .given(try DevelopmentCredentials.make())
        configuration.faults = [try lose("orders"), try lose(nil), try lose("default")]
        configuration.namedWorlds = [.init(name: try #require(WorldName("orders")), configuration: configuration)]
        try await GatewayServer(configuration).run { gateway in
            let control = ControlClient(port: gateway.controlPort)
            func taken(_ world: String) async throws -> [String?] {
                let found = try await control.call("GET", "/w/\(world)/api/faults").json["faults"]
                let matches = (found as? [[String: Any]] ?? []).map { $0["match"] as? [String: Any] }
                return matches.map { $0?["world"] as? String }
            }
            _ = try await control.call("POST", "/api/worlds", #"{"name":"other"}"#)
            for _ in 1...2 {
                #expect(try await taken("orders") == ["orders", nil])
                #expect(try await taken("default") == [nil, "default"])
                #expect(try await taken("other") == [nil])
                _ = try await control.call("DELETE", "/w/orders/api/faults")
                _ = try await control.call("POST", "/w/orders/api/reset")
            }
            throw CancellationError()
        }
    }

    @Test func `a gateway starts without the rules whose time is over, and says so`() async throws {
        let lines = LoggedLines()
        var configuration = GatewayConfiguration()
        (configuration.port, configuration.controlPort) = (0, 0)
        configuration.credentials = .given(try TestGateway.credentials.get())
        configuration.faults = [FaultRule(.lose, until: 1), FaultRule(.lose)]
        configuration.log(to: lines)
        try await GatewayServer(configuration).run { gateway in
            #expect(gateway.faults.map(\.rule) == [FaultRule(.lose)])
            throw CancellationError()
        }
        let said = lines.all.filter { $0.hasPrefix("notice The world default begins without 1 of its fault rules") }
        #expect(said.count == 1, "\(lines.all)")
    }

    /// What a sender gets that asks for a world, in TLS or by its first request, and is not answered.
    private func goAway(_ port: Int, _ caPEM: [UInt8], _ serverName: String?, world: String) async throws -> String? {
        let sender = try await RawSender(port: port, caPEM: caPEM, serverName: serverName)
        try await sender.submit(
            [
                (":method", "POST"), (":scheme", "https"), (":path", "/3/device/ab12"),
                (":authority", "\(world).localhost"),
            ],
            body: silent)
        var goAway: String?
        for await event in sender.observed {
            if case .goAway(_, _, let data) = event { goAway = data }
            if case .head = event { Issue.record("a request was answered") }
        }
        return goAway
    }

    @Test func `no more worlds are made than there may be, neither by clients nor by senders`() async throws {
        var configuration = GatewayConfiguration()
        (configuration.port, configuration.controlPort) = (0, 0)
        let credentials = try TestGateway.credentials.get()
        configuration.credentials = .given(credentials)
        configuration.worlds = 2
        configuration.grace = .seconds(1)
        let running = try await GatewayServer(configuration).start()
        do {
            let control = ControlClient(port: running.controlPort)
            #expect(try await control.call("POST", "/w/one/api/reset").status == 204)
            let full = try await control.call("POST", "/w/two/api/reset")
            #expect(full.status == 507)
            #expect((full.json["detail"] as? String)?.contains("--worlds") == true)
            #expect(try await control.call("POST", "/api/worlds", #"{"name":"two"}"#).status == 507)
            for serverName in ["two.localhost", nil] {
                let goAway = try await goAway(running.port, credentials.caPEM, serverName, world: "two")
                #expect(goAway == #"{"reason":"ServiceUnavailable"}"#)
            }
            #expect(running.worlds.count == 2)
        } catch {
            await running.shutdown()
            throw error
        }
        await running.shutdown()
    }

    @Test func `a thousand worlds at once each have their own devices and notifications, and there is no further one`()
        async throws
    {
        try await withGateway { gateway in
            let count = 1000
            try await withThrowingTaskGroup(of: Void.self) { group in
                for lane in 0..<8 {
                    group.addTask {
                        for number in stride(from: lane, to: count, by: 8) {
                            let token = String(number + 4096, radix: 16)
                            try await gateway.register(token, world: "w\(number)")
                            guard number.isMultiple(of: 20) else { continue }
                            let sender = try await RawSender(
                                port: gateway.running.port, caPEM: gateway.caPEM, serverName: "w\(number).localhost")
                            var events = sender.observed.makeAsyncIterator()
                            try await sender.submit(try gateway.fields(to: token), body: silent)
                            #expect(await sender.answer(on: 1, &events).answer.headers.first == ":status: 200")
                            try await sender.close()
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(gateway.running.worlds.count == count + 1)
            gateway.running.worlds.forEach { state in
                let (devices, entries) = state.read { world, _ in
                    (world.devices(in: .sandbox, limit: 10).devices, world.notifications().entries)
                }
                guard state.name != .standard, let number = Int(state.name.text.dropFirst()) else { return }
                let token = String(number + 4096, radix: 16)
                #expect(devices.map(\.token.hex) == [token])
                #expect(entries.map(\.token) == (number.isMultiple(of: 20) ? [token] : []))
            }
            try await checkFull(gateway, worlds: count)
        }
    }

    /// A gateway with the default number of worlds refuses one more, and the others go on; one that goes leaves its place.
    private func checkFull(_ gateway: TestGateway, worlds: Int) async throws {
        let control = gateway.control
        let calls: [(String, String?)] = [("/api/worlds", #"{"name":"more"}"#), ("/w/more/api/reset", nil)]
        for (path, body) in calls {
            let full = try await control.call("POST", path, body)
            #expect(full.status == 507 && full.json["title"] as? String == "Too many worlds", "\(full.body)")
        }
        let goAway = try await goAway(gateway.running.port, gateway.caPEM, "more.localhost", world: "more")
        #expect(goAway == #"{"reason":"ServiceUnavailable"}"#)
        #expect(gateway.running.worlds.count == worlds + 1)
        #expect(try await gateway.total("/w/w20/api/notifications") == 1)
        try await gateway.register("ab12", world: "w20")
        #expect(try await control.call("DELETE", "/api/worlds/w1").status == 204)
        #expect(try await control.call("POST", "/api/worlds", #"{"name":"more"}"#).status == 201)
    }
}
