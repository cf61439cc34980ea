import Testing

@testable import HTTP2Session

struct StreamTableTests {
    /// Calls `body` with an empty table, whose memory lives as long as the call.
    private func withTable(_ body: (inout StreamTable) throws -> Void) rethrows {
        let memory = SessionMemory()
        var table = StreamTable(blocks: memory.blocks)
        defer { table.freeHeads() }
        try body(&table)
    }

    @Test func `a slot is reused only after its closed event was taken`() {
        withTable { table in
            let first = table.open(id: 1)
            #expect(table.stream(first) == HTTP2Stream(id: 1, slot: Int32(first)) && table.count == 1)
            #expect(table.slot(ofID: 1) == first && table.slot(ofID: 3) == nil)
            #expect(table.close(first)?.id == 1)
            #expect(table.count == 0 && table.stream(first) == nil && table.close(first) == nil)
            let second = table.open(id: 3)
            #expect(second != first)
            table.releaseClosed()
            #expect(table.open(id: 5) == first)
        }
    }

    @Test func `an open that is cancelled frees its slot immediately`() {
        withTable { table in
            let slot = table.open(id: 0)
            table.cancelOpen(slot)
            #expect(table.count == 0)
            #expect(table.open(id: 1) == slot)
        }
    }

    @Test func `a slot has nothing of its last stream`() {
        withTable { table in
            let slot = table.open(id: 1)
            table.received(10, slot)
            table.markTooLong(slot)
            table.resetAfterResponse(slot)
            let isToReset = table.markSent(slot)
            #expect(isToReset && table.wasSent(slot) && table.isTooLong(slot))
            #expect(table.receivedBytes(slot) == 10)
            _ = table.close(slot)
            table.releaseClosed()
            #expect(table.open(id: 3) == slot)
            #expect(table.receivedBytes(slot) == 0 && !table.isTooLong(slot) && !table.wasSent(slot))
            let isToResetAgain = table.markSent(slot)
            #expect(!isToResetAgain)
        }
    }

    @Test func `a body is read in pieces, as far as it is released`() {
        withTable { table in
            let slot = table.open(id: 1)
            table.setBody([1, 2, 3, 4, 5], released: 0, slot)
            var target = [UInt8](repeating: 0, count: 2)
            func read() -> (count: Int, isLast: Bool) {
                target.withUnsafeMutableBytes { table.readBody(slot, into: $0) }
            }
            #expect(read() == (0, false))
            table.release(upTo: 3, slot)
            #expect(read() == (2, false) && target == [1, 2])
            #expect(read() == (1, false) && target[0] == 3)
            #expect(read() == (0, false))
            table.release(upTo: .max, slot)
            #expect(read() == (2, true) && target == [4, 5])
        }
    }

    @Test func `an unknown slot has no stream and an empty body`() {
        withTable { table in
            var target = [UInt8](repeating: 0, count: 2)
            let read = target.withUnsafeMutableBytes { table.readBody(7, into: $0) }
            #expect(read == (0, true))
            #expect(table.stream(7) == nil && table.stream(-1) == nil)
        }
    }

    @Test func `a head is kept until it is dropped`() throws {
        try withTable { table in
            let slot = table.open(id: 1)
            var fields = HTTP2Fields()
            fields.add(":status", "200")
            try table.setHead(fields, slot)
            let records = Array(fields.records)
            #expect(table.head(slot).map { Array($0.records) } == records)
            table.dropHead(slot)
            #expect(table.head(slot) == nil)
        }
    }
}
