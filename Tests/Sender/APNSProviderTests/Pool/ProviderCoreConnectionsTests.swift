import APNSModel
import Testing

@testable import APNSProvider

/// When the core opens connections, and when it closes one that is not used.
struct ProviderCoreConnectionsTests {
    typealias Core = ProviderCore
    typealias Bench = ProviderCoreBench

    @Test func `with a first limit of one stream, a burst opens one connection`() {
        var bench = Bench(connections: 4)
        for number in 1...5 { bench.submit(number) }
        bench.connect(streamLimit: 1)
        #expect(bench.fill().count == 1)
        #expect(bench.plan().isEmpty)
        bench.answer(0)
        // The higher limit may come after the answer.
        #expect(bench.plan().isEmpty)
        bench.core.streamLimit(connection: 0, 1000)
        #expect(bench.fill().count == 4)
        #expect(bench.plan().isEmpty)
    }

    @Test(arguments: [(2, 100), (4, 5)])
    func `a limit that stays at one stream without an answer holds other connections back for a second`(
        connections: Int, submissions: Int
    ) {
        var bench = Bench(connections: connections)
        for number in 1...submissions { bench.submit(number) }
        bench.connect(streamLimit: 1)
        bench.fill()
        bench.now = bench.now + .milliseconds(999)
        #expect(bench.plan().isEmpty)
        bench.now = bench.now + .milliseconds(1)
        #expect(bench.plan() == [.open(connection: 1)])
    }

    @Test func `an idle connection is closed after its time, which is no failure`() {
        var limits = Core.Limits()
        limits.idleTimeout = .seconds(60)
        var core = Core(
            limits: limits,
            reconnection: ReconnectionPolicy(first: .seconds(1), longest: .seconds(60), seed: 1))
        var (actions, resolved): ([Core.Action], [Core.Resolution]) = ([], [])
        let first = Submission(1)
        core.submit(first)
        core.plan(at: .zero, actions: &actions, resolved: &resolved)
        core.opened(connection: 0, at: .zero)
        core.streamLimit(connection: 0, 1000)
        _ = core.cancel(first, actions: &actions)  // so it never had an answer
        actions = []
        core.plan(at: .zero + .seconds(59), actions: &actions, resolved: &resolved)
        #expect(actions.isEmpty)
        core.plan(at: .zero + .seconds(60), actions: &actions, resolved: &resolved)
        #expect(actions == [.close(connection: 0)])
        core.lost(
            connection: 0, description: "closed", isPermanent: false, at: .zero + .seconds(60), resolved: &resolved
        ) { _ in true }
        core.submit(Submission(2))
        actions = []
        core.plan(at: .zero + .seconds(60), actions: &actions, resolved: &resolved)
        #expect(actions == [.open(connection: 0)])
    }
}
