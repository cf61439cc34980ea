import APNSModel
import APNSProvider
import GatewayTesting
import Synchronization
import TestSupport
import Testing

@testable import WorkerCore
@testable import WorkerRuntime

struct TenantSenderTests {
    private static func push(_ number: Int, _ topic: Topic) -> OutgoingPush {
        let notification = APNSNotification(
            to: DeviceToken(String(number + 0x10_0000, radix: 16))!, topic: topic, pushType: .alert,
            payload: Array(#"{"aps":{"alert":"Hi"}}"#.utf8))
        return OutgoingPush(
            reference: PushReference(slot: Int32(number), generation: 0, line: 0), submission: Submission(notification))
    }

    @Test func `each push has one outcome where the sender is closed while it takes a batch`() async throws {
        try await withGateway(devices: .open) { gateway in
            let outcomes = Mutex<[Int32: [String]]>([:])
            let sender = TenantSender(try PushProvider(gateway.configuration)) { finished in
                outcomes.withLock { outcomes in
                    for push in finished { outcomes[push.reference.slot, default: []].append(push.result.outcome.name) }
                }
            }
            let pushes = (0..<30_000).map { Self.push($0, gateway.topic) }
            sender.post(Array(pushes[..<20_000]))
            #expect(await eventually { outcomes.withLock { !$0.isEmpty } })
            sender.post(Array(pushes[20_000...]))
            await sender.close(within: .seconds(60))
            sender.post([Self.push(30_000, gateway.topic)])
            let all = outcomes.withLock { $0 }
            #expect(all.count == 30_001 && all.values.allSatisfy { $0.count == 1 })
            #expect(Set(all.values.joined()) == ["accepted", "unsent"])
        }
    }
}
