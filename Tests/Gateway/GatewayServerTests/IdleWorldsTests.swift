import GatewayConfiguration
import GatewayCore
import GatewayTestSupport
import GatewayTesting
import SystemFiles
import TestSupport
import Testing

@testable import GatewayServer

/// Worlds that a running gateway removes because nobody uses them.
@Suite(.timeLimit(.minutes(10)))
struct IdleWorldsTests {
    private func configuration(_ change: (inout GatewayConfiguration) -> Void) throws -> GatewayConfiguration {
        var configuration = GatewayConfiguration()
        (configuration.port, configuration.controlPort, configuration.grace) = (0, 0, .seconds(1))
        configuration.credentials = .given(try TestGateway.credentials.get())
        change(&configuration)
        return configuration
    }

    private func names(_ gateway: TestGateway) async throws -> [String] {
        let worlds = try await gateway.control.call("GET", "/api/worlds").json["worlds"] as? [[String: Any]]
        return worlds?.compactMap { $0["name"] as? String } ?? []
    }

    /// How many worlds the metrics say were removed for a reason.
    private func removed(_ gateway: TestGateway, _ reason: String) async throws -> Int? {
        let name = "apns_gateway_worlds_removed_total{reason=\"\(reason)\"} "
        let lines = try await gateway.control.call("GET", "/metrics").body.split(separator: "\n")
        return lines.first { $0.hasPrefix(name) }.flatMap { Int($0.dropFirst(name.count)) }
    }

    private func make(_ name: String, _ gateway: TestGateway) async throws {
        #expect(try await gateway.control.call("POST", "/w/\(name)/api/reset").status == 204)
    }

    @Test func `a gateway removes a world that nobody has used for --world-idle by itself`() async throws {
        let log = LoggedLines()
        let fixed = try #require(WorldName("fixed"))
        let configuration = try configuration {
            $0.worldIdle = 1
            $0.namedWorlds = [.init(name: fixed, configuration: $0)]
            $0.log(to: log)
        }
        try await configuration.run { gateway in
            try await make("orders", gateway)
            #expect(try await eventually { try await names(gateway) == ["default", "fixed"] })
            #expect(try await eventually { try await removed(gateway, "age") == 1 })
            let line = "notice A world was removed, because nobody used it.: reason=age world=orders"
            #expect(await eventually { log.all == [line] })
        }
    }

    @Test func `beyond --idle-worlds those that are idle for longest go, and what is in use stays`() async throws {
        let configuration = try configuration { $0.idleWorlds = 1 }
        try await configuration.run { gateway in
            for name in ["a", "b", "c", "d"] { try await make(name, gateway) }
            let idleWorlds = gateway.running.idleWorlds
            // A world that was used within a minute is not idle.
            idleWorlds.check(at: WallClock.milliseconds)
            #expect(try await names(gateway) == ["a", "b", "c", "d", "default"])
            try await gateway.control.events("/w/a/api/events") { _ in
                let isEvicted = try await eventually {
                    idleWorlds.check(at: WallClock.milliseconds + 120_000)
                    return try await names(gateway) == ["a", "d", "default"]
                }
                #expect(isEvicted)
            }
            #expect(try await eventually { try await removed(gateway, "count") == 2 })
        }
    }

    @Test func `without a limit no world goes, however long nobody uses it`() async throws {
        try await configuration { _ in }.run { gateway in
            try await make("orders", gateway)
            gateway.running.idleWorlds.check(at: .max)
            #expect(try await names(gateway) == ["default", "orders"])
        }
    }
}
