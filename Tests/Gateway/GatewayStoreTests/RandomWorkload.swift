import APNSModel

@testable import GatewayCore

/// Does to a world, in an order that a seed decides, what senders, devices and the control API do.
struct RandomWorkload {
    var scenario: StoredScenario
    private var random: SeededGenerator
    private var channels: [String] = []

    init(seed: UInt64, _ scenario: StoredScenario) {
        self.scenario = scenario
        random = SeededGenerator(seed: seed)
    }

    private mutating func token() throws -> DeviceToken {
        try StoredScenario.token(StoredScenario.tokens.randomElement(using: &random) ?? "00")
    }

    mutating func step() throws {
        let token = try token()
        switch Int.random(in: 0..<24, using: &random) {
        case 0..<9: scenario.push(to: token.hex, "\(Int.random(in: 0..<1000, using: &random))")
        case 9: scenario.push(to: token.hex, collapseID: "same")
        case 10: _ = scenario.world.subscribe(token, in: .sandbox, real: 0)
        case 11: scenario.world.unsubscribe(token, in: .sandbox, real: 0)
        case 12:
            var patch = DevicePatch()
            patch.isOnline = Bool.random(using: &random)
            patch.isInLowPower = Bool.random(using: &random)
            patch.isInLowData = Bool.random(using: &random)
            _ = scenario.world.patch(token, in: .sandbox, patch, real: 0)
        case 13: _ = scenario.world.uninstall(token, in: .sandbox, real: 0)
        case 14:
            _ = try? scenario.world.register(
                DeviceRegistration(topic: StoredScenario.topic, token: token.hex), real: 0)
        case 15: if let id = scenario.createChannel() { channels.append(id) }
        case 16: if let id = channels.randomElement(using: &random) { scenario.broadcast(to: id) }
        case 17:
            let chosen = channels.filter { _ in Bool.random(using: &random) }
            _ = try? scenario.world.subscribe(token, in: .sandbox, to: chosen, real: 0)
        case 18: _ = scenario.world.advanceClock(by: Int64.random(in: 0..<7_200_000, using: &random), real: 0)
        case 19:
            _ = try? scenario.world.add(
                FaultRule(.duplicate(2), probability: 0.5, count: Int.random(in: 1...3, using: &random)), real: 0)
        case 20: _ = scenario.world.removeFault(String(Int.random(in: 1...4, using: &random)))
        case 21:
            _ = try? scenario.world.register(
                RegisteredApp(topic: "com.example.\(Int.random(in: 0..<3, using: &random))", teamID: "TEAM000002"))
        case 22:
            if Int.random(in: 0..<10, using: &random) == 0 { scenario.world.deleteNotifications() }
            if Int.random(in: 0..<20, using: &random) == 0 { scenario.world.reset(real: 0) }
        default: scenario.push(to: "xyz")
        }
    }
}
