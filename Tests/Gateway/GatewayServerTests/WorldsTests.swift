import APNSModel
import APNSProvider
import Foundation
import GatewayCore
import GatewayTestSupport
import NIOCore
import TLSSession
import Testing

@testable import DevelopmentCredentials
@testable import GatewayConfiguration
@testable import GatewayControl
@testable import GatewayJSON
@testable import GatewayListener
@testable import GatewayRuntime
@testable import GatewayServer
@testable import GatewayTesting
@testable import SystemFiles

@Suite(.timeLimit(.minutes(3)))
struct WorldsTests {
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

    func total(_ gateway: TestGateway, _ path: String) async throws -> Int? {
        try await gateway.control.call("GET", path).json["total"] as? Int
    }

    func register(_ gateway: TestGateway, world: String, _ token: String) async throws {
        let body = #"{"topic":"com.example.agent","token":"\#(token)"}"#
        let made = try await gateway.control.call("POST", "/w/\(world)/api/devices", body)
        #expect(made.status == 201)
        #expect(made.headers["location"] == "/w/\(world)/api/devices/\(token)")
    }

    @Test func `a sender chooses a world by the host that it connects to`() async throws {
        try await withGateway(device: "ab12") { gateway in
            try await register(gateway, world: "orders", "cd34")
            try await withProvider(gateway, world: "orders") { provider in
                let accepted = try await provider.send(gateway.notification(to: "cd34", payload: silent))
                #expect(accepted.isAccepted)
                let refused = try await provider.send(gateway.notification(to: "ab12", payload: silent))
                #expect(refused.reason == .badDeviceToken)
            }
            #expect(try await gateway.push(to: "cd34").reason == .badDeviceToken)
            #expect(try await total(gateway, "/w/orders/api/notifications") == 2)
            #expect(try await total(gateway, "/api/notifications") == 1)
            #expect(try await total(gateway, "/w/default/api/notifications") == 1)
            #expect(try await total(gateway, "/w/other/api/notifications") == 0)
        }
    }

    @Test func `a sender that TLS tells nothing chooses by its first request, and only then`() async throws {
        try await withGateway { gateway in
            try await register(gateway, world: "orders", "cd34")
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
            #expect(try await total(gateway, "/w/orders/api/notifications?reason=MisdirectedRequest") == 1)
            #expect(try await total(gateway, "/w/orders/api/notifications") == 4)
            #expect(try await total(gateway, "/w/other/api/notifications") == 0)
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
            try await register(gateway, world: "orders", "cd34")
            let sender = try await gateway.rawSender()
            var events = sender.observed.makeAsyncIterator()
            var fields = try gateway.fields(to: "cd34").filter { "\($0.0)" != ":authority" }
            fields.append(("host", "orders.localhost"))
            try await sender.submit(fields, body: silent)
            #expect(await sender.answer(on: 1, &events).answer.headers.first == ":status: 200")
            #expect(try await total(gateway, "/w/orders/api/notifications") == 1)
            try await sender.close()
        }
    }

    @Test func `the default world gets the events of worlds that are made and removed`() async throws {
        try await withGateway { gateway in
            let told = try await gateway.control.events("/api/events") { reader in
                _ = try await gateway.control.call("POST", "/api/worlds", #"{"name":"orders"}"#)
                _ = try await gateway.control.call("DELETE", "/api/worlds/orders")
                return [try await reader.next(), try await reader.next()]
            }
            #expect(told.map(\.?.name) == ["world-made", "world-removed"])
            #expect(told.map(\.?.data) == [#"{"name":"orders"}"#, #"{"name":"orders"}"#])
        }
    }

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
            #expect(try await total(gateway, "/w/orders/api/notifications") == 1)

            #expect(try await gateway.control.call("DELETE", "/api/worlds/orders").status == 204)
            var goAway: String?
            while let event = await events.next() { if case .goAway(_, _, let data) = event { goAway = data } }
            #expect(goAway == #"{"reason":"Shutdown"}"#)
            #expect(!channel.isActive)
            #expect(gateway.running.listener.channel(of: port) == nil)
            #expect(try await gateway.control.call("GET", "/api/worlds/orders").status == 404)
            #expect(try await total(gateway, "/w/orders/api/notifications") == 0)
        }
    }

    @Test func `a removed world ends who listens to it`() async throws {
        try await withGateway { gateway in
            try await gateway.control.events("/w/orders/api/events") { reader in
                #expect(reader.status == 200)
                let removed = try await gateway.control.call("DELETE", "/api/worlds/orders")
                #expect(removed.status == 204)
                let event = try await reader.next()
                #expect(event == nil)
            }
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

    @Test func `the control API takes a rule for the world of its path alone`() async throws {
        try await withGateway { gateway in
            let rule = #"{"match":{"world":"orders"},"effect":{"lose":true}}"#
            #expect(try await gateway.control.call("POST", "/w/orders/api/faults", rule).status == 201)
            let refused = try await gateway.control.call("POST", "/api/faults", rule)
            #expect(refused.status == 400 && refused.json["pointer"] as? String == "/match/world")
            #expect((refused.json["detail"] as? String)?.contains("/w/orders/api/faults") == true)
        }
    }

    @Test func `each world has its own clock, seed, faults, apps and keys, and is reset alone`() async throws {
        try await withGateway { gateway in
            let control = gateway.control
            for (world, seed) in [("one", 1), ("two", 1), ("three", 3)] {
                let made = try await control.call(
                    "POST", "/api/worlds",
                    #"{"name":"\#(world)","seed":\#(seed),"clock":{"mode":"manual","now":1800000000}}"#)
                #expect(made.status == 201, "\(made.body)")
            }
            func token(_ world: String) async throws -> String? {
                try await control.call("POST", "/w/\(world)/api/devices", #"{"topic":"a.b"}"#).json["token"] as? String
            }
            let first = try await token("one")
            #expect(try await token("two") == first)
            #expect(try await token("three") != first)
            for world in ["one", "two"] {
                _ = try await control.call("POST", "/w/\(world)/api/clock/advance", #"{"by":"1h"}"#)
                _ = try await control.call("POST", "/w/\(world)/api/faults", #"{"effect":{"lose":true}}"#)
                _ = try await control.call(
                    "POST", "/w/\(world)/api/apps", #"{"topic":"com.example.new","team-id":"ABCDE12345"}"#)
            }
            #expect(try await control.call("POST", "/w/one/api/reset").status == 204)
            func state(_ world: String) async throws -> [String] {
                let clock = try await control.call("GET", "/w/\(world)/api/clock").json["now"] as? String
                let faults = try await control.call("GET", "/w/\(world)/api/faults").json["faults"] as? [Any]
                let apps = try await control.call("GET", "/w/\(world)/api/apps").json["apps"] as? [Any]
                return [clock ?? "", "\(faults?.count ?? -1)", "\(apps?.count ?? -1)"]
            }
            #expect(try await state("one") == ["2027-01-15T08:00:00.000Z", "0", "1"])
            #expect(try await state("two") == ["2027-01-15T09:00:00.000Z", "1", "2"])
            #expect(try await state("three") == ["2027-01-15T08:00:00.000Z", "0", "1"])
        }
    }

    @Test func `worlds are listed in pages, by name`() async throws {
        try await withGateway { gateway in
            for name in ["b", "a", "c"] { _ = try await gateway.control.call("GET", "/w/\(name)/health") }
            let first = try await gateway.control.call("GET", "/api/worlds?limit=3").json
            #expect(first["total"] as? Int == 4)
            #expect((first["worlds"] as? [[String: Any]])?.map { $0["name"] as? String } == ["a", "b", "c"])
            let next = try #require(first["next"] as? String)
            let second = try await gateway.control.call("GET", "/api/worlds?limit=3&cursor=\(next)").json
            #expect((second["worlds"] as? [[String: Any]])?.map { $0["host"] as? String } == ["default.localhost"])
            #expect(second["next"] is String == false)
        }
    }

    @Test(
        arguments: [
            ("POST", "/api/worlds", #"{"name":"a_b"}"#, 400), ("POST", "/api/worlds", #"{"name":"default"}"#, 409),
            ("POST", "/api/worlds", #"{"name":"known"}"#, 409),
            ("POST", "/api/worlds", #"{"name":"a","port":70000}"#, 400),
            ("DELETE", "/api/worlds/default", nil, 409), ("DELETE", "/api/worlds/none", nil, 404),
            ("GET", "/api/worlds/none", nil, 404), ("GET", "/api/worlds/a.b", nil, 400),
            ("GET", "/w//api/devices", nil, 400), ("GET", "/w/\(String(repeating: "a", count: 64))/health", nil, 400),
            ("GET", "/w/a/api/worlds", nil, 404), ("GET", "/w/a/nothing", nil, 404),
        ] as [(String, String, String?, Int)])
    func `a world that cannot be is refused`(method: String, path: String, body: String?, status: Int) async throws {
        try await withGateway { gateway in
            _ = try await gateway.control.call("GET", "/w/known/health")
            let answer = try await gateway.control.call(method, path, body)
            #expect(answer.status == status, "\(answer.body)")
            #expect(answer.headers["content-type"] == "application/problem+json")
            #expect(gateway.running.worlds.count == 2)
        }
    }

    @Test func `a port that is taken leaves no world behind`() async throws {
        try await withGateway { gateway in
            let answer = try await gateway.control.call(
                "POST", "/api/worlds", #"{"name":"orders","port":\#(gateway.running.port)}"#)
            #expect(answer.status == 409)
            #expect(answer.json["pointer"] as? String == "/port")
            #expect(gateway.running.worlds.count == 1)
        }
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
            #expect(try await control.call("GET", "/w/one/health").status == 200)
            let full = try await control.call("GET", "/w/two/health")
            #expect(full.status == 507)
            #expect((full.json["detail"] as? String)?.contains("--worlds") == true)
            #expect(try await control.call("POST", "/api/worlds", #"{"name":"two"}"#).status == 507)
            for serverName in ["two.localhost", nil] {
                let sender = try await RawSender(port: running.port, caPEM: credentials.caPEM, serverName: serverName)
                try await sender.submit(
                    [
                        (":method", "POST"), (":scheme", "https"), (":path", "/3/device/ab12"),
                        (":authority", "two.localhost"),
                    ],
                    body: silent)
                var goAway: String?
                for await event in sender.observed {
                    if case .goAway(_, _, let data) = event { goAway = data }
                    if case .head = event { Issue.record("a request was answered") }
                }
                #expect(goAway == #"{"reason":"ServiceUnavailable"}"#)
            }
            #expect(running.worlds.count == 2)
        } catch {
            await running.shutdown()
            throw error
        }
        await running.shutdown()
    }

    @Test func `a thousand worlds at once each have their own devices and notifications`() async throws {
        try await withGateway { gateway in
            let count = 1000
            try await withThrowingTaskGroup(of: Void.self) { group in
                for lane in 0..<8 {
                    group.addTask {
                        for number in stride(from: lane, to: count, by: 8) {
                            let token = String(number + 4096, radix: 16)
                            try await register(gateway, world: "w\(number)", token)
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
        }
    }

    @Test func `the host of a world has a certificate of its own`() throws {
        let credentials = try TestGateway.credentials.get()
        let facts = credentials.server.certificate
        let certificates = WorldCertificates(
            credentials.authority, CertificateValidity(notBefore: facts.notBefore, notAfter: facts.notAfter), maximum: 2
        )
        let identity = try #require(certificates.identity(for: "Orders.localhost"))
        #expect(identity.certificate.names == ["orders.localhost"])
        #expect(identity.certificate.notAfter == facts.notAfter)
        #expect(try certificates.identity(for: "orders.localhost")?.certificatePEM == identity.certificatePEM)
        for host in ["localhost", "127.0.0.1", "example.com", ""] { #expect(certificates.identity(for: host) == nil) }
        for host in ["a.b.localhost", "-a.localhost"] {
            #expect(certificates.identity(for: host)?.certificate.names == [host])
        }
        for number in 0..<5 { #expect(certificates.identity(for: "w\(number).localhost") != nil) }
        #expect(try certificates.identity(for: "orders.localhost")?.certificatePEM != identity.certificatePEM)
    }
}
