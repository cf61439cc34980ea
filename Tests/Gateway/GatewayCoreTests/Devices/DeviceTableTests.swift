import APNSModel
import Testing

@testable import GatewayCore

struct DeviceTableTests {
    private static let maximum = 1000

    private static func token(_ number: Int) throws -> DeviceToken {
        try #require(DeviceToken(String(0xab_0000 + number, radix: 16)))
    }

    private static func add(_ number: Int, to table: inout DeviceTable) throws {
        let topic = try #require(Topic("com.example.agent"))
        let (slot, forgotten) = table.add(
            try token(number), environment: .sandbox, kind: .app, topic: topic, isImplicit: true, at: 0,
            maximum: maximum)
        let oldest: UInt64? = number < maximum ? nil : UInt64(number - maximum)
        #expect(table[slot].ordinal == UInt64(number))
        #expect(forgotten?.ordinal == oldest)
    }

    @Test func `the first device after a copy copies one part of the index of device tokens`() throws {
        var table = DeviceTable()
        for number in 0..<700 { try Self.add(number, to: &table) }
        var changed = table
        try Self.add(700, to: &changed)
        #expect(changed.index.partsUnlike(table.index) == 1)
        let new = try Self.token(700)
        #expect(changed.slot(of: new) == 700 && table.slot(of: new) == nil)
    }

    @Test func `a device token is found until its device is replaced`() throws {
        var table = DeviceTable()
        for number in 0..<Self.maximum + 10 { try Self.add(number, to: &table) }
        for number in 0..<Self.maximum + 10 {
            let slot: Int? = number < 10 ? nil : number % Self.maximum
            let found = table.slot(of: try Self.token(number))
            #expect(found == slot)
        }
        #expect(table.index.count == Self.maximum)
    }
}
