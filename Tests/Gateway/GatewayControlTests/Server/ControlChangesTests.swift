import GatewayJSON
import Synchronization
import TestSupport
import Testing

@testable import GatewayControl

@Suite(.timeLimit(.minutes(10)))
struct ControlChangesTests {
    @Test func `a change that has begun ends before none is taken any more`() async throws {
        let changes = ControlChanges()
        let order = Mutex<[String]>([])
        try changes.begin()
        async let closed: Void = {
            await changes.close()
            order.withLock { $0.append("closed") }
        }()
        let refuses = await eventually {
            guard (try? changes.begin()) != nil else { return true }
            changes.end()
            return false
        }
        #expect(refuses)
        // One that does not wait returns now.
        for _ in 1...1000 { await Task.yield() }
        order.withLock { $0.append("ended") }
        changes.end()
        await closed
        #expect(order.withLock { $0 } == ["ended", "closed"])
        let problem = #expect(throws: Problem.self) { try changes.begin() }
        #expect(problem?.status == 503)
        // Without a change it returns at once, and again.
        await changes.close()
    }
}
