import APNSModel
import Testing

@testable import GatewayCore

@Suite struct FaultRuleFilterTests {
    private let refusal = FaultEffect.refuse(.tooManyRequests)

    private func rules(_ matches: [FaultRule.Match]) -> [ActiveFault] {
        matches.enumerated().map { ActiveFault(id: "\($0.offset)", rule: FaultRule(refusal, match: $0.element)) }
    }

    private func places(_ filter: FaultRuleFilter, _ digest: FaultRuleFilter.RequestDigest) -> [Int] {
        var places: [Int] = []
        while let next = filter.next(from: places.last.map { $0 + 1 } ?? 0, digest) { places.append(next) }
        return places
    }

    @Test func `rules that ask for another text are passed over, all others are offered in order`() throws {
        let token = try #require(DeviceToken("00112233445566778899aabbccddeeff"))
        let other = try #require(DeviceToken("00112233445566778899aabbccddee00"))
        let filter = FaultRuleFilter(
            rules([
                .init(token: other), .init(), .init(token: token), .init(topic: "com.example.other"),
                .init(topic: "com.example.agent", pushType: "alert"), .init(pushType: "voip"),
                .init(token: token, topic: "com.example.agent", pushType: "alert"), .init(app: "com.example.another"),
            ]))
        // Letters of a device token come in either case.
        let digest = FaultRuleFilter.RequestDigest(
            token: token.hex.uppercased()[...], topic: "com.example.agent", pushType: "alert")
        #expect(places(filter, digest) == [1, 2, 4, 6, 7])
        let bare = FaultRuleFilter.RequestDigest(token: nil, topic: nil, pushType: nil)
        #expect(places(filter, bare) == [1, 7])
    }

    @Test func `a rule for connections is offered to no request`() {
        let rule = ActiveFault(id: "1", rule: FaultRule(.slowAccept(.fixed(5))))
        #expect(
            places(FaultRuleFilter([rule]), FaultRuleFilter.RequestDigest(token: nil, topic: nil, pushType: nil))
                .isEmpty)
    }

    @Test(arguments: [("", "a"), ("a", ""), ("short", "shorter"), ("com.example.agent", "com.example.agent2")])
    func `strings of every length are distinguished, and equal themselves`(asked: String, found: String) {
        let filter = FaultRuleFilter(rules([.init(topic: asked)]))
        #expect(places(filter, FaultRuleFilter.RequestDigest(token: nil, topic: found, pushType: nil)).isEmpty)
        #expect(places(filter, FaultRuleFilter.RequestDigest(token: nil, topic: asked, pushType: nil)) == [0])
    }
}
