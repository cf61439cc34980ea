import Testing

@testable import GatewayCore

struct ConnectionTableTests {
    @Test func `all are welcome while there is room`() {
        var table = ConnectionTable(maximum: 3)
        for _ in 1...3 { #expect(table.arrived().1 == .welcome) }
        #expect(table.count == 3)
    }

    @Test func `one in its handshake makes room first, the oldest of them`() {
        var table = ConnectionTable(maximum: 3)
        let opened = table.arrived().id
        let older = table.arrived().id
        let newer = table.arrived().id
        table.opened(opened)
        #expect(table.arrived().1 == .inPlaceOf(older))
        #expect(table.arrived().1 == .inPlaceOf(newer))
        #expect(table.count == 3)
    }

    @Test func `then one that has not sent a request, the oldest of them`() {
        var table = ConnectionTable(maximum: 3)
        let ids = (1...3).map { _ in table.arrived().id }
        for id in ids { table.opened(id) }
        table.used(ids[0])
        let (next, arrival) = table.arrived()
        #expect(arrival == .inPlaceOf(ids[1]))
        table.opened(next)
        #expect(table.arrived().1 == .inPlaceOf(ids[2]))
    }

    @Test func `when all are at work a new one is refused, and still counts until it has ended`() {
        var table = ConnectionTable(maximum: 2)
        for _ in 1...2 {
            let id = table.arrived().id
            table.opened(id)
            table.used(id)
        }
        let (refused, arrival) = table.arrived()
        #expect(arrival == .refused)
        #expect(table.count == 3)
        table.ended(refused)
        #expect(table.count == 2)
    }

    @Test func `one that was replaced is forgotten, whatever is said of it afterwards`() {
        var table = ConnectionTable(maximum: 1)
        let first = table.arrived().id
        let (second, arrival) = table.arrived()
        #expect(arrival == .inPlaceOf(first))
        table.opened(first)
        table.used(first)
        table.ended(first)
        #expect(table.count == 1)
        #expect(table.arrived().1 == .inPlaceOf(second))
    }

    @Test func `a million that come and go leave the oldest that stayed in its place`() {
        var table = ConnectionTable(maximum: 10)
        let stayed = table.arrived().id
        for _ in 1...1_000_000 {
            let id = table.arrived().id
            table.opened(id)
            table.ended(id)
        }
        for _ in 1...9 { #expect(table.arrived().1 == .welcome) }
        #expect(table.arrived().1 == .inPlaceOf(stayed))
    }
}
