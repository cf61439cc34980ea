import Foundation
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// What the state of a device does, with the gateway, a device and the sender as processes.
@Suite(.serialized, .timeLimit(.minutes(10))) struct DeviceStateCommandTests {
    private static let token = String(repeating: "0", count: 60) + "57a7"

    private func device(_ command: Command, _ gateway: LocalGateway) async throws -> RunningCommand {
        let device = try command.start(["device", "--json", "--control", gateway["control"], "--token", Self.token])
        try await device.line("connected")
        return device
    }

    /// - Returns: The stages of its life.
    private func send(
        _ command: Command, _ gateway: LocalGateway, to token: String = Self.token
    ) async throws -> [String] {
        try command.write(#"{"aps":{"content-available":1}}"#, to: "silent.json")
        let sent = try await command.run(
            ["send", "--json", "--token", token, "--push-type", "background", "--payload", "silent.json"]
                + gateway.options)
        try #require(sent.status == 0, "\(sent.text)")
        let id = try #require(try JSONText.object(sent.lines[0])["apns-unique-id"] as? String)
        let answer = try await gateway.call("GET", "/api/notifications/\(id)")
        let life = try JSONText.object(answer.body)["life"] as? [[String: Any]]
        return life?.compactMap { $0["stage"] as? String } ?? []
    }

    @Test func `a gateway counts silent pushes, and a manual clock lets go what is held`() async throws {
        try await withLocalGateway(["--budget", "silent=1/1h", "--clock", "manual"]) { gateway, command in
            let device = try await device(command, gateway)
            #expect(try await send(command, gateway) == ["accepted", "delivered"])
            #expect(try await send(command, gateway) == ["accepted", "throttled"])
            #expect(try await gateway.call("POST", "/api/clock/advance", #"{"by":"55m"}"#).status == 200)
            let waiting = try await gateway.call("GET", "/api/devices/\(Self.token)").body
            #expect(waiting.contains(#""held-for":"budget""#))
            #expect(try await gateway.call("POST", "/api/clock/advance", #"{"by":"5m"}"#).status == 200)
            for _ in 0..<2 { try await device.line(#""event":"result""#) }
            await device.stop()
        }
    }

    @Test func `with --json each failed connection is a line`() async throws {
        try await withCommand { command in
            let gateway = try await LocalGateway.restartable(command)
            let device = try await device(command, gateway)
            try await device.stopped {
                gateway.process.send(SIGKILL)
                await gateway.process.status()
                for _ in 0..<4 { try await device.line(#""event":"disconnected""#) }
            }
            // Except for the first ones, which differ, the reasons are the same.
            let lines = device.output.lines.filter { $0.contains("disconnected") }
            #expect(Set(lines).count < lines.count, "\(lines)")
        }
    }

    @Test func `a reinstalled app continues with its new device token`() async throws {
        try await withLocalGateway { gateway, command in
            let device = try await device(command, gateway)
            let made = try await gateway.call("POST", "/api/devices/\(Self.token)/reinstall")
            #expect(made.status == 201)
            let next = try #require(try JSONText.object(made.body)["token"] as? String)
            #expect(try await device.line(#""event":"token""#).contains(next))
            try await device.line(#""event":"connected""#)
            #expect(try await send(command, gateway, to: next) == ["accepted", "delivered"])
            try await device.line(#""event":"result""#)
            let dead = try await command.run(
                ["send", "--token", Self.token, "--alert", "Hi"] + gateway.options)
            #expect(dead.status == 1)
            #expect(dead.text.contains("Unregistered"))
            await device.stop()
        }
    }

    @Test(arguments: ["silent", "silent=0/1h", "silent=3/1w", "loud=3/1h"])
    func `an invalid budget is refused`(budget: String) async throws {
        try await withCommand { command in
            let result = try await command.run(["gateway", "--budget", budget])
            #expect(result.status == 64)
            #expect(result.errors.contains("silent=3/1h") || result.errors.contains("such as 3/1h"))
        }
    }
}
