import APNSModel
import Testing

@testable import GatewayCore

struct ChannelTableTests {
    private static let count = 700

    private static func id(_ number: Int) -> ChannelID { ChannelID(bytes: Array("channel \(number)".utf8)) }

    private static func table() -> ChannelTable {
        var table = ChannelTable()
        for number in 0..<count {
            table.create(id(number), app: "com.example.agent", in: .sandbox, .mostRecent, at: 0)
        }
        return table
    }

    @Test func `the first channel after a copy copies one part of the table`() {
        let table = Self.table()
        var changed = table
        changed.create(Self.id(Self.count), app: "com.example.agent", in: .sandbox, .mostRecent, at: 0)
        #expect(changed.channels.partsUnlike(table.channels) == 1)
        #expect(changed.count == Self.count + 1 && table.count == Self.count)
    }

    @Test func `a channel that changes after a copy is another one in the copy`() {
        let table = Self.table()
        var changed = table
        changed[Self.id(3)]?.subscribe(7)
        #expect(changed.channels.partsUnlike(table.channels) == 1)
        #expect(changed[Self.id(3)]?.subscriberCount == 1 && table[Self.id(3)]?.subscriberCount == 0)
        #expect(changed.heldBytes == table.heldBytes + MemoryLayout<Int>.stride)
    }
}
