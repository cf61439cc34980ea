import GatewayConfiguration
import GatewayCore
import GatewayJSON
import GatewayRuntime
import GatewayTestSupport
import GatewayTesting
import Testing

@testable import GatewayControl
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
            #expect(try await control.call("GET", "/api/devices").status == 200)
            let removed = try await control.call("DELETE", "/api/worlds/orders", headers: Self.bearer(token))
            #expect(removed.status == 204)
            let short = try await control.call("POST", "/api/worlds", #"{"name":"x","token":"short"}"#)
            #expect(short.status == 400)
        }
    }

    /// Makes one world without a token, and `mail` with one.
    private static func makeWorlds(_ control: ControlClient, headers: [String] = []) async throws {
        for body in [#"{"name":"orders"}"#, #"{"name":"mail","token":"\#(mailToken)"}"#] {
            #expect(try await control.call("POST", "/api/worlds", body, headers: headers).status == 201)
        }
    }

    private static let mailToken = "mail-token-0123456789"

    @Test func `calls about all worlds leave out a world with a token`() async throws {
        try await withGateway { gateway in
            let control = gateway.control
            try await Self.makeWorlds(control)
            for headers in [[], Self.bearer("other-token-0123456789")] {
                let metrics = try await control.call("GET", "/metrics?worlds=all", headers: headers).body
                #expect(metrics.contains(#"world="orders""#) && !metrics.contains("mail"))
                let list = try await control.call("GET", "/api/worlds", headers: headers)
                #expect(list.json["total"] as? Int == 2 && !list.body.contains("mail"))
            }
            let removed = try await control.call("DELETE", "/api/worlds?idle=0s")
            #expect(removed.body == #"{"removed":["orders"]}"#)
            // With its token they are about it too.
            let own = Self.bearer(Self.mailToken)
            let metrics = try await control.call("GET", "/metrics?worlds=all", headers: own).body
            #expect(metrics.contains(#"world="mail""#) && metrics.contains(#"world="default""#))
            #expect(try await control.call("GET", "/api/worlds", headers: own).json["total"] as? Int == 2)
            let last = try await control.call("DELETE", "/api/worlds?idle=0s", headers: own)
            #expect(last.body == #"{"removed":["mail"]}"#)
        }
    }

    /// The worlds of `makeWorlds` in a gateway with a control token.
    private static func withControlToken(
        _ body: @escaping @Sendable (ControlClient, _ all: [String]) async throws -> Void
    ) async throws {
        var configuration = GatewayConfiguration()
        (configuration.port, configuration.controlPort) = (0, 0)
        configuration.credentials = .given(try TestGateway.credentials.get())
        configuration.controlToken = "0123456789abcdef"
        try await configuration.run { gateway in
            let all = bearer("0123456789abcdef")
            try await makeWorlds(gateway.control, headers: all)
            try await body(gateway.control, all)
        }
    }

    @Test func `the token of a world shows no other world, and the control token shows all`() async throws {
        try await Self.withControlToken { control, all in
            let own = Self.bearer(Self.mailToken)
            for path in ["/metrics?worlds=all", "/api/worlds"] {
                #expect(try await control.call("GET", path, headers: own).status == 401)
                #expect(try await control.call("GET", path, headers: all).body.contains("mail"))
            }
            #expect(try await control.call("GET", "/w/mail/metrics", headers: own).status == 200)
            for headers in [own, all] {
                let answer = try await control.call("GET", "/w/mail/metrics?worlds=all", headers: headers)
                #expect(answer.status == 400 && !answer.body.contains("orders"), "\(answer.body)")
            }
            #expect(try await control.call("DELETE", "/api/worlds?idle=0s", headers: own).status == 401)
            let removed = try await control.call("DELETE", "/api/worlds?idle=0s", headers: all)
            #expect(removed.body == #"{"removed":["mail","orders"]}"#)
        }
    }

    @Test func `a world with a token is copied with that token only`() async throws {
        try await withGateway { gateway in
            let control = gateway.control
            try await Self.makeWorlds(control)
            let device = #"{"topic":"\#(gateway.topic)","token":"ab12"}"#
            let own = Self.bearer(Self.mailToken)
            #expect(try await control.call("POST", "/w/mail/api/devices", device, headers: own).status == 201)
            let body = #"{"name":"copy","from":"mail"}"#
            for headers in [[], Self.bearer("other-token-0123456789")] {
                let refused = try await control.call("POST", "/api/worlds", body, headers: headers)
                #expect(refused.status == 403)
                #expect(refused.json["type"] as? String == "urn:apns-toolkit:problem:the-world-has-a-token")
            }
            #expect(try await control.call("GET", "/api/worlds/copy").status == 404)
            #expect(try await control.call("POST", "/api/worlds", body, headers: own).status == 201)
            // It has the devices, and no token unless the request names one.
            #expect(try await control.call("GET", "/w/copy/api/devices/ab12").status == 200)
        }
    }

    @Test func `the control token copies a world with a token`() async throws {
        try await Self.withControlToken { control, all in
            let own = Self.bearer(Self.mailToken)
            let body = #"{"name":"copy","from":"mail","token":"copy-token-0123456789"}"#
            let refused = try await control.call("POST", "/api/worlds", body, headers: own)
            #expect(refused.status == 401)
            #expect(try await control.call("POST", "/api/worlds", body, headers: all).status == 201)
            // It has its own token, and not that of its source.
            #expect(try await control.call("GET", "/w/copy/api/devices", headers: own).status == 401)
            let copy = Self.bearer("copy-token-0123456789")
            #expect(try await control.call("GET", "/w/copy/api/devices", headers: copy).status == 200)
        }
    }

    @Test func `a request whose body comes after a world got its token is refused`() async throws {
        try await withGateway { gateway in
            let worlds = gateway.running.worlds
            let api = ControlAPI(worlds, ControlGuard(host: "127.0.0.1", token: nil))
            let request = ControlRequest(method: "POST", path: "/w/mail/api/reset", host: "localhost")
            let call = try api.call(request)
            let name = try #require(WorldName("mail"))
            var setup = WorldSetup()
            setup.token = Self.mailToken
            worlds.complete(try worlds.prepare(name, setup))
            do throws(Problem) {
                _ = try api.answer(call, request)
                Issue.record("it was let in")
            } catch {
                #expect(error.status == 401)
            }
            var allowed = request
            allowed.authorization = "Bearer \(Self.mailToken)"
            _ = try api.answer(call, allowed)
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
