import APNSModel
import Testing

@testable import APNSProvider

/// When the core opens connections, and when it closes one that is not used.
struct ProviderCoreConnectionsTests {
    typealias Core = ProviderCore
    typealias Bench = ProviderCoreTests.Bench

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

    @Test func `a limit that stays at one stream holds other connections back for a second`() {
        var bench = Bench(connections: 4)
        for number in 1...5 { bench.submit(number) }
        bench.connect(streamLimit: 1)
        bench.fill()
        bench.now = bench.now + .milliseconds(999)
        #expect(bench.plan().isEmpty)
        bench.now = bench.now + .milliseconds(1)
        #expect(bench.plan() == [.open(connection: 1)])
    }
}
