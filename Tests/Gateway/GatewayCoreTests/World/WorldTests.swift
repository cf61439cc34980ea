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
}
