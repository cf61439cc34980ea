import APNSModel
import APNSProvider
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
        return OutgoingPush(reference: reference, submission: Submission(notification))
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `each push is found by its position, once, in whatever order outcomes come`(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var pushes = SentPushes()
        var open: [Int] = []
        var count = 0
        for _ in 0..<5000 {
            if open.isEmpty || open.count < 700 && Bool.random(using: &random) {
                let batch = count..<count + Int.random(in: 0...40, using: &random)
                pushes.append(try batch.map(push))
                open += batch
                count = batch.upperBound
            } else {
                let position = open.remove(at: Int.random(in: 0..<min(open.count, 300), using: &random))
                #expect(pushes.remove(position)?.slot == Int32(position))
                #expect(pushes.remove(position) == nil)
            }
        }
        #expect(pushes.remove(count) == nil && pushes.remove(-1) == nil)
        #expect(pushes.all.map { Int($0.reference.slot) } == open)
    }

    private struct Weak {
        weak var submission: Submission?
    }

    @Test func `one push without an outcome keeps no batches behind its own in memory`() throws {
        var pushes = SentPushes()
        pushes.append([try push(0), try push(1)])
        #expect(pushes.remove(1)?.slot == 1)
        var later: [Weak] = []
        for number in 2..<100 {
            let next = try push(number)
            later.append(Weak(submission: next.submission))
            pushes.append([next])
        }
        for number in 2..<100 { #expect(pushes.remove(number)?.slot == Int32(number)) }
        #expect(later.allSatisfy { $0.submission == nil })
        #expect(pushes.all.map(\.reference.slot) == [0])
    }
}
