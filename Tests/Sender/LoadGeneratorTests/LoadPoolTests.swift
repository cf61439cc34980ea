import APNSModel
import PayloadJSON
import Testing

@testable import LoadGenerator

struct LoadPoolTests {
    @Test(arguments: [PushType.background, .alert, .voip], [64, 170, 4096])
    func `a payload is JSON of exactly the requested size`(pushType: PushType, bytes: Int) throws {
        let payload = LoadPool.payload(for: pushType, bytes: bytes)
        #expect(payload.count == bytes)
        let document = try JSONDocument(payload)
        #expect(document.member("aps", of: .root) != nil)
    }

    @Test func `every notification has its own device token, and the same seed makes the same ones`() throws {
        let topic = try #require(Topic("com.example.agent"))
        let pool = LoadPool.notifications(
            topic: topic, pushType: .background, payloadBytes: 170, deviceTokens: 500, seed: 7)
        #expect(Set(pool.map(\.deviceToken)).count == 500)
        #expect(pool.allSatisfy { $0.deviceToken.byteCount == 32 })
        let again = LoadPool.notifications(
            topic: topic, pushType: .background, payloadBytes: 170, deviceTokens: 500, seed: 7)
        #expect(pool == again)
    }

    @Test func `a push type has its priority and the suffix of its topic`() throws {
        let topic = try #require(Topic("com.example.agent"))
        let silent = LoadPool.notifications(
            topic: topic, pushType: .background, payloadBytes: 64, deviceTokens: 1, seed: 1)
        #expect(silent[0].priority == .powerConsiderate)
        #expect(silent[0].topic == topic)
        let call = LoadPool.notifications(topic: topic, pushType: .voip, payloadBytes: 64, deviceTokens: 1, seed: 1)
        #expect(call[0].priority == .immediate)
        #expect(call[0].topic.value == "com.example.agent.voip")
    }
}
