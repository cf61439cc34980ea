import APNSModel
import ProviderToken
import Testing

@testable import GatewayCore

struct WorldTests {
    @Test func `the same start and the same requests give the same results`() throws {
        func ids() throws -> [String] {
            var running = try Scenario().run()
            let made = try (0..<5).map { _ in try running.send(Scenario().with { $0.head.apnsID = nil }).verdict.apnsID
            }
            return made + running.world.notifications().entries.map(\.uniqueID)
        }
        let (first, second) = (try ids(), try ids())
        #expect(first == second)
        #expect(Set(first).count == first.count)
        var other = try Scenario().with { $0.settings.seed = 1 }.run()
        #expect(try other.send(Scenario().with { $0.head.apnsID = nil }).verdict.apnsID != first[0])
    }

    @Test func `a reset brings everything back to the start`() throws {
        var running = try Scenario().run()
        let token = try Scenario().deviceToken
        let first = try running.send(Scenario().with { $0.head.apnsID = nil }).verdict.apnsID
        _ = running.world.uninstall(token, in: .sandbox, real: 0)
        _ = running.world.revokeKey("KEY0000001")
        _ = running.advance(seconds: 1_000_000)
        try running.world.register(RegisteredApp(topic: "com.example.new", teamID: Keys.team))
        running.world.settings.availability = .stopping
        running.world.reset(real: 0)
        #expect(running.now == Scenario.start)
        #expect(running.world.notifications().total == 0)
        #expect(running.world.registeredApps.map(\.topic) == [Scenario.topic])
        #expect(running.world.registeredKeys.map(\.isRevoked) == [false])
        #expect(running.world.device(token, in: .sandbox)?.isInstalled == true)
        #expect(try running.send(Scenario().with { $0.head.apnsID = nil }).verdict.apnsID == first)
    }

    @Test func `a connection from before a reset is judged by the keys after it`() throws {
        var running = try Scenario().run()
        #expect(try running.send(Scenario()).verdict.isAccepted)
        try running.world.register(
            ProviderKey(keyID: "KEY0000009", teamID: Keys.team, verifyingKey: try Keys.first.get().publicKey))
        #expect(try running.send(Scenario().with { $0.keyID = "KEY0000009" }).verdict.isAccepted)
        running.world.reset(real: 0)
        #expect(try running.send(Scenario().with { $0.keyID = "KEY0000009" }).verdict.rule == "provider-token-key")
    }

    @Test func `the manual clock stands still and the real one follows the machine`() {
        var clock = WorldClock.manual(at: 5000)
        #expect(clock.now(real: 1) == 5000)
        clock.advance(by: 55 * 60_000, real: 1)
        #expect(clock.now(real: 999) == 5000 + 55 * 60_000)
        clock = .real
        #expect(clock.now(real: 777) == 777)
        clock.advance(by: -77, real: 777)
        #expect(clock.now(real: 1000) == 923)
        clock.set(.manual, to: nil, real: 1000)
        #expect(clock.now(real: 5000) == 923)
        clock.set(.real, to: 2000, real: 1000)
        #expect(clock.now(real: 1500) == 2500)
        clock.set(.real, to: nil, real: 1000)
        #expect(clock.now(real: 1500) == 1500)
    }

    @Test(arguments: [Int64.min, -1, 0, Int64.max])
    func `the clock stays within its range`(extreme: Int64) {
        var clock = WorldClock.manual(at: extreme)
        #expect(WorldClock.range.contains(clock.now(real: extreme)))
        for mode in [WorldClock.Mode.real, .manual] {
            clock.set(mode, to: extreme, real: extreme)
            clock.advance(by: extreme, real: extreme)
            clock.advance(by: extreme, real: 0)
            #expect(WorldClock.range.contains(clock.now(real: extreme)))
        }
    }

    @Test func `keys and apps that make no sense are not registered`() throws {
        var world = try Scenario().run().world
        let key = try Keys.first.get().publicKey
        func isRefused(_ body: (inout World) throws(RegistrationError) -> Void) -> Bool {
            do throws(RegistrationError) {
                try body(&world)
                return false
            } catch {
                return !error.description.isEmpty
            }
        }
        func provider(_ kind: ProviderKey.Kind, _ environments: Set<APNSEnvironment> = [.sandbox]) -> ProviderKey {
            ProviderKey(keyID: "K", teamID: "T", verifyingKey: key, kind: kind, environments: environments)
        }
        let many = Set((0...400).map { "t\($0)" })
        #expect(isRefused { (world) throws(RegistrationError) in try world.register(provider(.topics([]))) })
        #expect(isRefused { (world) throws(RegistrationError) in try world.register(provider(.topics(many))) })
        #expect(isRefused { (world) throws(RegistrationError) in try world.register(provider(.team, [])) })
        #expect(!isRefused { (world) throws(RegistrationError) in try world.register(provider(.team)) })
        let suffixed = RegisteredApp(topic: "com.example.agent.voip", teamID: "T")
        #expect(isRefused { (world) throws(RegistrationError) in try world.register(suffixed) })
        let nameless = RegisteredApp(topic: "", teamID: "T")
        #expect(isRefused { (world) throws(RegistrationError) in try world.register(nameless) })
    }

    @Test(
        arguments: [
            (0, "0 seconds"), (1, "1 second"), (119, "119 seconds"), (120, "2 minutes"), (3601, "60 minutes 1 second"),
            (3660, "61 minutes"), (7200, "2 hours"), (7260, "2 hours 1 minute"), (172_800, "2 days"),
        ] as [(Int64, String)])
    func `periods read as people say them`(seconds: Int64, text: String) {
        #expect(Period.text(seconds) == text)
    }

    @Test func `a peer's words cannot break a line or fill it`() {
        #expect(PeerText.quoted("a\n\u{1b}[31m\u{202e}b") == #""a??[31m?b""#)
        #expect(PeerText.quoted(String(repeating: "x", count: 9000)).count == 67)
    }
}
