import APNSModel
import Testing

@testable import APNSProvider

/// Connections that are replaced because of what the gateway refuses on them.
struct ProviderCoreReplacingTests {
    typealias Bench = ProviderCoreBench

    /// Sends submission `number` with a provider token on `connection`, and takes the answer. Nil when the connection takes
    /// nothing.
    private func send(
        _ number: Int, token: Int = 1, on connection: Int = 0, refusing reason: Reason?, _ bench: inout Bench
    ) -> Int? {
        bench.submit(number)
        var slot: Int?
        bench.core.fill(
            connection, atMost: 1, at: bench.now, tokenNumber: token, resolved: &bench.resolved
        ) { _ in
            slot = number
            return .stream(number)
        }
        guard let slot else { return nil }
        var body: [UInt8] = []
        if let reason { body = Array(#"{"reason":"\#(reason.code)"}"#.utf8) }
        body.withUnsafeBytes { bench.core.body(connection: connection, slot: slot, bytes: $0) }
        bench.answer(slot, status: reason?.status ?? 200, connection: connection)
        return slot
    }

    /// A core with one open connection and nothing to do.
    private func connected() -> Bench {
        var bench = Bench()
        bench.submit(0)
        bench.connect()
        bench.answer(bench.fill()[0].slot)
        return bench
    }

    @Test(arguments: [Reason.shutdown, .idleTimeout, .unrelatedKeyIDInToken])
    func `a refusal that asks for a new connection gets one for the next notification`(reason: Reason) {
        var bench = connected()
        #expect(reason.retry == .onNewConnection)
        #expect(send(1, refusing: reason, &bench) != nil)
        #expect(bench.plan() == [.close(connection: 0)])
        #expect(send(2, refusing: nil, &bench) == nil)
        bench.lose()
        #expect(bench.plan() == [.open(connection: 0)])
    }

    @Test(arguments: [Reason.badDeviceToken, .tooManyRequests, .internalServerError, .invalidProviderToken])
    func `any other refusal leaves the connection alone`(reason: Reason) {
        var bench = connected()
        #expect(send(1, refusing: reason, &bench) != nil)
        #expect(bench.plan().isEmpty)
        #expect(send(2, token: 2, refusing: nil, &bench) != nil)
    }

    @Test func `in-flight requests end on the connection that is replaced`() {
        var bench = connected()
        bench.submit(1)
        let slot = bench.fill()[0].slot
        #expect(send(5, refusing: .shutdown, &bench) != nil)
        #expect(bench.plan().isEmpty)
        bench.answer(slot)
        #expect(bench.outcomes[1] == "accepted")
        #expect(bench.plan() == [.close(connection: 0)])
    }

    @Test func `after ExpiredProviderToken the connection is replaced when there is another token`() throws {
        var bench = connected()
        #expect(send(1, token: 1, refusing: .expiredProviderToken, &bench) != nil)
        #expect(send(2, token: 1, refusing: .expiredProviderToken, &bench) != nil)
        #expect(bench.plan().isEmpty)
        #expect(send(3, token: 2, refusing: nil, &bench) == nil)
        try #require(bench.plan().contains(.open(connection: 1)))
        bench.core.opened(connection: 1, at: bench.now)
        bench.core.fill(1, atMost: 1, at: bench.now, tokenNumber: 2, resolved: &bench.resolved) { _ in .stream(0) }
        bench.answer(0, connection: 1)
        #expect(bench.outcomes[3] == "accepted")
    }

    @Test func `a late ExpiredProviderToken about an older token replaces its connection too`() {
        var bench = connected()
        bench.submit(1)
        bench.core.fill(0, atMost: 1, at: bench.now, tokenNumber: 1, resolved: &bench.resolved) { _ in .stream(1) }
        #expect(send(2, token: 2, refusing: nil, &bench) != nil)
        Array(#"{"reason":"ExpiredProviderToken"}"#.utf8).withUnsafeBytes {
            bench.core.body(connection: 0, slot: 1, bytes: $0)
        }
        bench.answer(1, status: 403)
        #expect(send(3, token: 2, refusing: nil, &bench) == nil)
    }

    @Test func `a gateway that always says Shutdown gets few connections, and its answers are not held back`() {
        var bench = connected()
        var opened = 1
        var current = 0
        for number in 1...600 {  // one notification a second
            bench.now = bench.now + .seconds(1)
            bench.submit(number, timeout: .seconds(10))
            for action in bench.plan() {
                switch action {
                case .open(let connection):
                    opened += 1
                    current = connection
                    bench.core.opened(connection: connection, at: bench.now)
                    bench.core.streamLimit(connection: connection, 1000)
                case .close(let connection): bench.lose(connection)
                default: break
                }
            }
            let slots = bench.fill(current).map(\.slot)
            for slot in slots {
                Array(#"{"reason":"Shutdown"}"#.utf8).withUnsafeBytes {
                    bench.core.body(connection: current, slot: slot, bytes: $0)
                }
                bench.answer(slot, status: 503, connection: current)
            }
        }
        #expect(opened <= 20)
        #expect(bench.outcomes.values.filter { $0 == "refused" }.count > 590)
    }

    @Test func `all open connections are replaced on demand`() {
        var bench = Bench(connections: 2)
        bench.submit(1)
        bench.connect()
        bench.answer(bench.fill()[0].slot)
        bench.core.replaceAll(at: bench.now)
        bench.submit(2)
        #expect(bench.core.availableConnections(at: bench.now).isEmpty)
        #expect(Set(bench.plan().map { "\($0)" }).count == 2)  // one is closed, one is opened
    }
}
