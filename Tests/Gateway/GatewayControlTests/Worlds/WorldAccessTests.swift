import GatewayTestSupport
import GatewayTesting
import Testing

@testable import GatewayServer

/// Tokens of worlds, and worlds that nobody uses.
@Suite(.timeLimit(.minutes(10)))
struct WorldAccessTests {
    private static func bearer(_ token: String) -> [String] { ["Authorization: Bearer \(token)"] }

    @Test func `a world with a token is open to nobody else`() async throws {
        try await withGateway { gateway in
            let control = gateway.control
            let made = try await control.call("POST", "/api/worlds", #"{"name":"orders","token":true}"#)
            let token = try #require(made.json["token"] as? String)
            #expect(token.count == 32)
            _ = try await control.call("POST", "/api/worlds", #"{"name":"mail","token":"mail-token-0123456789"}"#)
            for path in ["/w/orders/api/devices", "/w/orders/api/export", "/api/worlds/orders"] {
                #expect(try await control.call("GET", path).status == 401)
                let other = Self.bearer("mail-token-0123456789")
                #expect(try await control.call("GET", path, headers: other).status == 401)
                let own = try await control.call("GET", path, headers: Self.bearer(token))
                #expect(own.status == 200 && !own.body.contains(token))
            }
            #expect(try await control.call("DELETE", "/api/worlds/orders").status == 401)
            #expect(try await control.call("GET", "/api/worlds").body.contains(token) == false)
            let copy = try await control.call("POST", "/api/worlds", #"{"name":"copy","from":"orders"}"#)
            #expect(copy.status == 403)
            #expect(try await control.call("GET", "/api/devices").status == 200)
            let removed = try await control.call("DELETE", "/api/worlds/orders", headers: Self.bearer(token))
            #expect(removed.status == 204)
            let short = try await control.call("POST", "/api/worlds", #"{"name":"x","token":"short"}"#)
            #expect(short.status == 400)
        }
    }

    @Test func `GET makes no world and takes no delivery`() async throws {
        try await withGateway(device: "ab12") { gateway in
            let control = gateway.control
            for path in ["/w/orders/api/devices", "/w/orders/api/events", "/w/orders/metrics", "/w/orders"] {
                _ = try await control.call("HEAD", path)
                _ = try await control.call("GET", path == "/w/orders/api/events" ? "/w/orders/api/counts" : path)
            }
            #expect(try await control.call("GET", "/api/worlds").json["total"] as? Int == 1)
            #expect(try await control.call("GET", "/api/worlds/orders").status == 404)
            // A web page's image or link is refused where a connection would take what waits.
            let device = #"{"topic":"\#(gateway.topic)","token":"cd34"}"#
            #expect(try await control.call("POST", "/api/devices", device).status == 201)
            try await gateway.push(to: "cd34")
            let site = ["Sec-Fetch-Site: cross-site"]
            for path in ["/api/devices/cd34/deliveries", "/api/events", "/api/export"] {
                #expect(try await control.call("GET", path, headers: site).status == 403)
            }
            #expect(try await control.call("GET", "/api/devices/cd34").json["waiting"] as? Int == 1)
            let own = ["Sec-Fetch-Site: same-origin"]
            try await control.events("/api/devices/cd34/deliveries", headers: own) { events in
                let event = try await events.next()
                #expect(event?.id != nil)
            }
            #expect(try await control.call("GET", "/api/devices/cd34").json["waiting"] as? Int == 0)
        }
    }

    @Test func `idle worlds are removed on request, but for the default one`() async throws {
        try await withGateway { gateway in
            let control = gateway.control
            for name in ["first", "second"] {
                _ = try await control.call("POST", "/api/worlds", #"{"name":"\#(name)"}"#)
            }
            #expect(try await control.call("DELETE", "/api/worlds?idle=1h").body == #"{"removed":[]}"#)
            // A client that listens uses the world.
            try await control.events("/w/first/api/events") { reader in
                let removed = try await control.call("DELETE", "/api/worlds?idle=0s")
                #expect(removed.body == #"{"removed":["second"]}"#)
                _ = reader.status
            }
            #expect(try await control.call("DELETE", "/api/worlds").status == 400)
            #expect(try await control.call("DELETE", "/api/worlds?idle=soon").status == 400)
            let metrics = try await control.call("GET", "/metrics").body
            #expect(metrics.contains(#"apns_gateway_worlds_removed_total{reason="request"} 1"#))
        }
    }

    @Test func `Location is a path that works, also inside a world`() async throws {
        try await withGateway(devices: .open) { gateway in
            let control = gateway.control
            for base in ["", "/w/orders"] {
                let made = try await control.call(
                    "POST", base + "/api/devices", #"{"topic":"com.example.agent","token":"ab12"}"#)
                let location = try #require(made.headers["location"])
                #expect(location == base + "/api/devices/ab12")
                #expect(try await control.call("GET", location).status == 200)
            }
            let world = try await control.call("POST", "/api/worlds", #"{"name":"mail"}"#)
            #expect(try await control.call("GET", try #require(world.headers["location"])).status == 200)
        }
    }

    @Test func `one scrape has the metrics of all worlds`() async throws {
        try await withGateway(device: "ab12") { gateway in
            let control = gateway.control
            try await gateway.push(to: "ab12")
            _ = try await control.call("POST", "/api/worlds", #"{"name":"orders"}"#)
            let all = try await control.call("GET", "/metrics?worlds=all").body
            #expect(
                all.contains(#"apns_gateway_notifications_total{world="default",outcome="accepted",reason=""} 1"#))
            #expect(
                all.contains(#"apns_gateway_notifications_total{world="orders",outcome="accepted",reason=""} 0"#))
            // A family is announced once.
            let helps = all.split(separator: "\n").filter { $0.hasPrefix("# HELP") }
            #expect(Set(helps).count == helps.count)
            #expect(all.contains(#"apns_gateway_memory_bytes{use="journal"} "#))
            #expect(all.contains("apns_gateway_memory_limit_bytes "))
            #expect(try await control.call("GET", "/metrics?worlds=some").status == 400)
        }
    }
}
