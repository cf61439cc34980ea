import APNSModel
import Testing

@testable import GatewayCore

struct DeviceSlotsTests {
    private static let count = 3 * DeviceSlots.chunkSize + 7

    private static func table() throws -> DeviceTable {
        let topic = try #require(Topic("com.example.agent"))
        var table = DeviceTable()
        for number in 0..<count {
            let token = try #require(DeviceToken(String(0xab_0000 + number, radix: 16)))
            _ = table.add(
                token, environment: .sandbox, kind: .app, topic: topic, isImplicit: false, at: 0, maximum: count)
        }
        return table
    }

    /// Where the devices of each chunk are in memory.
    private static func places(_ table: DeviceTable) -> [UnsafePointer<Device>?] {
        table.slots.chunks.map { $0.withUnsafeBufferPointer(\.baseAddress) }
    }

    @Test func `devices are found by their slots, in order`() throws {
        let slots = try Self.table().slots
        #expect(slots.count == Self.count)
        #expect(slots.map(\.ordinal) == (0..<UInt64(Self.count)).map { $0 })
        #expect(slots[DeviceSlots.chunkSize].ordinal == UInt64(DeviceSlots.chunkSize))
    }

    @Test func `the first change after a copy copies one chunk`() throws {
        let table = try Self.table()
        var changed = table
        let slot = DeviceSlots.chunkSize + 3
        changed[slot].isOnline = false
        #expect(table[slot].isOnline)
        let (before, after) = (Self.places(table), Self.places(changed))
        let copied = before.indices.filter { before[$0] != after[$0] }
        #expect(before.count == 4)
        #expect(copied == [1])
    }
}
