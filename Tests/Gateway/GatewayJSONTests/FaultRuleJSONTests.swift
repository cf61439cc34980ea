import APNSModel
import GatewayCore
import GatewayJSON
import Testing

struct FaultRuleJSONTests {
    private static func rule(_ text: String) throws -> FaultRule {
        try FaultRule(ControlBody(Array(text.utf8), keys: FaultRule.keys))
    }

    @Test func `a rule is read with all that it may have`() throws {
        let rule = try Self.rule(
            #"{"match":{"world":"Orders","token":"AB12","topic":"com.example.agent.voip","app":"com.example.agent","#
                + #""push-type":"voip","headers":{"apns-priority":"5","authorization":false,"apns-id":true}},"#
                + #""effect":{"lose":true},"probability":0.5,"count":3,"until":"2999-01-01T00:00:00Z"}"#)
        let match = FaultRule.Match(
            world: WorldName("orders"), token: DeviceToken("ab12"),
            topic: "com.example.agent.voip", app: "com.example.agent", pushType: "voip",
            headers: [
                HeaderCondition(.authorization, .absent), HeaderCondition(.id, .present),
                HeaderCondition(.priority, .value("5")),
            ])
        #expect(rule == FaultRule(.lose, match: match, probability: 0.5, count: 3, until: 32_472_144_000_000))
    }

    @Test func `a rule that says only its effect hits every request`() throws {
        #expect(try Self.rule(#"{"effect":{"lose":true}}"#) == FaultRule(.lose))
    }

    @Test(arguments: [
        (#"{"effect":{"slow-accept":"1s"},"match":{"topic":"com.example"}}"#, "/match"),
        (#"{"effect":{"lose":true},"match":{"app":"com.example.voip"}}"#, "/match/app"),
        (#"{"effect":{"lose":true},"match":{"headers":{"authorization":"bearer x"}}}"#, "/match/headers/authorization"),
        (#"{"effect":{"lose":true},"probability":1.1}"#, "/probability"),
        (#"{"effect":{"lose":true},"count":0}"#, "/count"),
    ])
    func `an invalid rule is refused with the member that is wrong`(text: String, pointer: String) {
        let problem = #expect(throws: Problem.self) { try Self.rule(text) }
        #expect(problem?.pointer == pointer)
    }

    @Test func `a rule whose time is over can be read`() throws {
        #expect(try Self.rule(#"{"effect":{"lose":true},"until":1}"#) == FaultRule(.lose, until: 1000))
    }
}
