import APNSModel
import TestSupport
import Testing

@testable import WorkerCore
@testable import WorkerRuntime

struct SentPushesTests {
    private func push(_ number: Int) throws -> OutgoingPush {
        let token = try #require(DeviceToken("ab01"))
        let notification = APNSNotification(
            to: token, topic: try #require(Topic("com.example.app")), pushType: .alert, payload: [])
        let reference = PushReference(slot: Int32(number), generation: 0, line: 0)
        return OutgoingPush(reference: reference, shared: Shared(notification))
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `each push is found by its position, once, in whatever order outcomes come`(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var pushes = SentPushes()
        var open: [Int] = []
        var count = 0
        for _ in 0..<5000 {
            if open.isEmpty || open.count < 700 && Bool.random(using: &random) {
                pushes.append(try push(count))
                open.append(count)
                count += 1
            } else {
                let position = open.remove(at: Int.random(in: 0..<min(open.count, 300), using: &random))
                #expect(pushes.remove(position)?.reference.slot == Int32(position))
                #expect(pushes.remove(position) == nil)
            }
        }
        #expect(pushes.remove(count) == nil && pushes.remove(-1) == nil)
        #expect(Set(pushes.all.map { Int($0.reference.slot) }) == Set(open))
    }
}
