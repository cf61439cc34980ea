import Testing

@testable import GatewayCore

struct ConnectionTableTests {
    private static func table(connections: Int = 10_000, handshakes: Int = 4000, unused: Int = 2000) -> ConnectionTable
    {
        var limits = ConnectionTable.Limits()
        (limits.connections, limits.handshakes, limits.unused) = (connections, handshakes, unused)
        return ConnectionTable(limits: limits)
    }

    @Test func `all are accepted below the limit`() {
        var table = ConnectionTableTests.table(connections: 3)
        for _ in 1...3 { #expect(table.arrived().1 == .accepted) }
        #expect(table.count == 3)
    }

    @Test
    func `at the limit one that sent nothing is closed first, then one in its handshake, then one without a request`() {
        var table = ConnectionTableTests.table(connections: 3)
        let unused = table.arrived().id
        let handshake = table.arrived().id
        let silent = table.arrived().id
        #expect(table.began(unused) == nil)
        #expect(table.opened(unused) == nil)
        #expect(table.began(handshake) == nil)
        for wanted in [silent, handshake, unused] {
            let (id, arrival) = table.arrived()
            #expect(arrival == .replaces(wanted))
            #expect(table.began(id) == nil)
            #expect(table.opened(id) == nil)
            table.used(id)
        }
        #expect(table.count == 3)
    }

    @Test func `the oldest is closed`() {
        var table = ConnectionTableTests.table(connections: 3)
        let ids = (1...3).map { _ in table.arrived().id }
        table.ended(ids[0])
        _ = table.arrived()
        #expect(table.arrived().1 == .replaces(ids[1]))
        #expect(table.arrived().1 == .replaces(ids[2]))
    }

    @Test func `more in the handshake than the limit: the oldest of them is closed`() {
        var table = ConnectionTableTests.table(handshakes: 2)
        let ids = (1...3).map { _ in table.arrived().id }
        #expect(ids.map { table.began($0) } == [nil, nil, ids[0]])
        #expect(table.count == 2)
    }

    @Test func `more without a request than the limit: the oldest of them is closed, and none with a request`() {
        var table = ConnectionTableTests.table(unused: 2)
        let ids = (1...5).map { _ in table.arrived().id }
        for id in ids { _ = table.began(id) }
        #expect(table.opened(ids[0]) == nil)
        table.used(ids[0])
        #expect(ids.dropFirst().map { table.opened($0) } == [nil, nil, ids[1], ids[2]])
    }

    @Test func `when all have sent requests a new one is refused, and still counts until it has ended`() {
        var table = ConnectionTableTests.table(connections: 2)
        for _ in 1...2 {
            let id = table.arrived().id
            _ = table.began(id)
            _ = table.opened(id)
            table.used(id)
        }
        let (refused, arrival) = table.arrived()
        #expect(arrival == .refused)
        #expect(table.count == 3)
        table.ended(refused)
        #expect(table.count == 2)
    }

    @Test func `one that was replaced no longer counts, whatever event follows`() {
        var table = ConnectionTableTests.table(connections: 1)
        let first = table.arrived().id
        let (second, arrival) = table.arrived()
        #expect(arrival == .replaces(first))
        #expect(table.began(first) == nil)
        #expect(table.opened(first) == nil)
        table.used(first)
        table.ended(first)
        #expect(table.count == 1)
        #expect(table.arrived().1 == .replaces(second))
    }

    @Test func `a hundred thousand short connections do not change which one is the oldest`() {
        var table = ConnectionTableTests.table(connections: 10)
        let stayed = table.arrived().id
        for _ in 1...100_000 {
            let id = table.arrived().id
            _ = table.began(id)
            table.ended(id)
        }
        for _ in 1...9 { #expect(table.arrived().1 == .accepted) }
        #expect(table.arrived().1 == .replaces(stayed))
    }
}
