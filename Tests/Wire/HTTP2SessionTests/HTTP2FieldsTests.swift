import Testing

@testable import HTTP2Session

struct HTTP2FieldsTests {
    /// What an `HTTP2Fields` has, in a copyable form that an expectation can take.
    private struct Summary {
        /// Names and values, with ` once` for a field that is not indexed.
        var fields: [String] = []
        var isOverfull: Bool
        var encodedBytes: Int

        init(_ all: borrowing HTTP2Fields) {
            isOverfull = all.isOverfull
            encodedBytes = all.encodedBytes
            let records = all.records
            var position = 0
            while position < records.count {
                let record = records.load(fromByteOffset: position, as: HTTP2Fields.Record.self)
                let name = UnsafeBufferPointer(start: record.name, count: Int(record.nameCount))
                let start = position + MemoryLayout<HTTP2Fields.Record>.size
                let value = records[start..<(start + record.valueCount)]
                let text = "\(String(decoding: name, as: UTF8.self))=\(String(decoding: value, as: UTF8.self))"
                fields.append(record.isIndexed ? text : text + " once")
                position += record.stride
            }
        }
    }

    @Test func `fields are kept in order, with values of each type`() {
        var fields = HTTP2Fields()
        fields.add(":method", "POST" as StaticString)
        fields.add(":path", prefix: "/3/device/", "ab12", isIndexed: false)
        fields.add("apns-priority", 10)
        fields.add("apns-expiration", Int.min, isIndexed: false)
        fields.add("content-length", 0)
        fields.add("authorization", Array("bearer x".utf8))
        fields.add("empty", [])
        var summary = Summary(fields)
        #expect(
            summary.fields == [
                ":method=POST", ":path=/3/device/ab12 once", "apns-priority=10",
                "apns-expiration=-9223372036854775808 once", "content-length=0", "authorization=bearer x", "empty=",
            ])
        #expect(!summary.isOverfull)
        fields.removeAll()
        summary = Summary(fields)
        #expect(summary.fields.isEmpty && summary.encodedBytes == 0)
    }

    @Test func `the limits are 32 fields and one frame`() {
        var fields = HTTP2Fields()
        for _ in 0..<32 { fields.add("a", 1) }
        var summary = Summary(fields)
        #expect(!summary.isOverfull)
        fields.add("a", 1)
        summary = Summary(fields)
        #expect(summary.isOverfull && summary.fields.count == 32)
        fields.removeAll()
        fields.add("a", String(repeating: "x", count: 16384 - 1 - 12))
        summary = Summary(fields)
        #expect(!summary.isOverfull && summary.encodedBytes == 16384)
        fields.removeAll()
        fields.add("a", String(repeating: "x", count: 16384 - 12))
        summary = Summary(fields)
        #expect(summary.isOverfull && summary.fields.isEmpty)
    }
}
