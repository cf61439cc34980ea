import GatewayRuntime
import GatewayTestSupport
import GatewayTesting
import NIOCore
import Testing

@testable import GatewayServer

/// Worlds over the control API.
@Suite(.timeLimit(.minutes(10)))
struct WorldsTests {
    @Test func `the default world gets the events of worlds that are made and removed`() async throws {
        try await withGateway { gateway in
            let events = try await gateway.control.events("/api/events") { reader in
                _ = try await gateway.control.call("POST", "/api/worlds", #"{"name":"orders"}"#)
                _ = try await gateway.control.call("DELETE", "/api/worlds/orders")
                return [try await reader.next(), try await reader.next()]
            }
            #expect(events.map(\.?.name) == ["world-made", "world-removed"])
            #expect(events.map(\.?.data) == [#"{"name":"orders"}"#, #"{"name":"orders"}"#])
        }
    }

    @Test func `a listener resumes after the last event that it has`() async throws {
        try await withGateway { gateway in
            let control = gateway.control
            let last = try await control.events("/api/events") { reader in
                _ = try await control.call("POST", "/api/worlds", #"{"name":"orders"}"#)
                return try await reader.next()?.id
            }
            _ = try await control.call("DELETE", "/api/worlds/orders")
            let header = "Last-Event-ID: \(try #require(last))"
            let missed = try await control.events("/api/events", headers: [header]) { try await $0.next() }
            #expect(missed?.name == "world-removed")
            let unknown = try await control.events("/api/events", headers: ["Last-Event-ID: 1-1"]) { reader in
                try await reader.next()
            }
            #expect(unknown?.name == "gap" && unknown?.id != nil)
        }
    }

    @Test func `a removed world ends who listens to it`() async throws {
        try await withGateway { gateway in
            _ = try await gateway.control.call("POST", "/api/worlds", #"{"name":"orders"}"#)
            try await gateway.control.events("/w/orders/api/events") { reader in
                #expect(reader.status == 200)
                let removed = try await gateway.control.call("DELETE", "/api/worlds/orders")
                #expect(removed.status == 204)
                let event = try await reader.next()
                #expect(event == nil)
            }
        }
    }

    @Test func `a listener whose request is not complete ends like any other`() async throws {
        try await withGateway { gateway in
            let client = gateway.control
            _ = try await client.call("POST", "/api/worlds", #"{"name":"orders"}"#)
            let channel = try await client.open()
            try await channel.executeThenClose { inbound, outbound in
                try await outbound.write(
                    client.request("GET", "/w/orders/api/events", nil, ["Content-Length: 5"], nil))
                var reader = EventReader(inbound.makeAsyncIterator())
                try await reader.readHead()
                #expect(reader.status == 200)
                #expect(try await client.call("DELETE", "/api/worlds/orders").status == 204)
                #expect(try await reader.next() == nil)
            }
            #expect(try await client.call("GET", "/health").status == 200)
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
            for name in ["b", "a", "c"] { _ = try await gateway.control.call("POST", "/w/\(name)/api/reset") }
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
            _ = try await gateway.control.call("POST", "/w/known/api/reset")
            let answer = try await gateway.control.call(method, path, body)
            #expect(answer.status == status, "\(answer.body)")
            #expect(answer.headers["content-type"] == "application/problem+json")
            #expect(gateway.running.worlds.count == 2)
        }
    }

    @Test(
        arguments: [
            ("GET", "/api/devices", nil), ("HEAD", "/api/devices", nil), ("GET", "/health", nil),
            ("GET", "/api/events", nil), ("PUT", "/api/clock", #"{"mode":"manual"}"#),
            ("PATCH", "/api/settings", "{}"), ("DELETE", "/api/notifications", nil),
        ] as [(String, String, String?)])
    func `only POST creates the world of its path`(method: String, path: String, body: String?) async throws {
        try await withGateway { gateway in
            let answer = try await gateway.control.call(method, "/w/orders" + path, body)
            #expect(answer.status == 404)
            if method != "HEAD" {
                #expect((answer.json["detail"] as? String)?.contains("POST /api/worlds") == true, "\(answer.body)")
            }
            #expect(gateway.running.worlds.count == 1)
            #expect(try await gateway.control.call("POST", "/w/orders/api/reset").status == 204)
            #expect(gateway.running.worlds.count == 2)
        }
    }

    @Test func `what is created in a world has its path there`() async throws {
        try await withGateway { gateway in
            let control = gateway.control
            let device = try await control.call(
                "POST", "/w/orders/api/devices", #"{"topic":"com.example.agent","token":"ab12"}"#)
            #expect(device.headers["location"] == "/w/orders/api/devices/ab12")
            let moved = try await control.call("POST", "/w/orders/api/devices/ab12/reinstall")
            let token = try #require(moved.json["token"] as? String)
            #expect(moved.headers["location"] == "/w/orders/api/devices/\(token)")
            let sent = try await control.call(
                "POST", "/w/orders/api/notifications",
                #"{"token":"\#(token)","apns-topic":"com.example.agent","apns-push-type":"alert","#
                    + #""payload":{"aps":{"alert":"Hi"}}}"#)
            let location = try #require(sent.headers["location"], "\(sent.body)")
            #expect(location.hasPrefix("/w/orders/api/notifications/"))
            #expect(try await control.call("GET", location).status == 200)
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

    @Test func `a world takes each seed that a gateway has`() async throws {
        try await withGateway { gateway in
            for seed in [0, 15_770_971_968_487_787_962, UInt64.max] {
                let made = try await gateway.control.call(
                    "POST", "/api/worlds", #"{"name":"seed-\#(seed)","seed":\#(seed)}"#)
                #expect(made.status == 201, "\(made.body)")
            }
            for seed in ["-1", "1.5", "18446744073709551616", #""1""#] {
                let made = try await gateway.control.call("POST", "/api/worlds", #"{"name":"no","seed":\#(seed)}"#)
                #expect(made.status == 400 && made.body.contains("from 0 to 18446744073709551615"), "\(made.body)")
            }
        }
    }
}
