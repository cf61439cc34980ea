import Testing

@testable import HTTP2Session

struct HTTP2FieldsTests {
    /// Names, values and whether each field is indexed.
    private func contents(of fields: borrowing HTTP2Fields) -> [String] {
        let records = fields.records
        var contents: [String] = []
        var position = 0
        while position < records.count {
            let record = records.load(fromByteOffset: position, as: HTTP2Fields.Record.self)
            let name = UnsafeBufferPointer(start: record.name, count: Int(record.nameCount))
            let start = position + MemoryLayout<HTTP2Fields.Record>.size
            let value = records[start..<(start + record.valueCount)]
            contents.append(
                "\(String(decoding: name, as: UTF8.self))=\(String(decoding: value, as: UTF8.self))"
                    + (record.isIndexed ? "" : " once"))
            position += record.stride
        }
        return contents
    }

    @Test func `fields are kept in order, with values of each type`() {
        var fields = HTTP2Fields()
        fields.add(":method", "POST" as StaticString)
        fields.add(":path", prefix: "/3/device/", "ab12", isIndexed: false)
        fields.add("apns-priority", 10)
        fields.add("apns-expiration", Int.min, isIndexed: false)
        fields.add("content-length", 0)
        fields.add("authorization", Array("bearer x".utf8))
        fields.add("empty", "")
        #expect(
            contents(of: fields) == [
                ":method=POST", ":path=/3/device/ab12 once", "apns-priority=10",
                "apns-expiration=-9223372036854775808 once", "content-length=0", "authorization=bearer x", "empty=",
            ])
        #expect(!fields.isOverfull)
        fields.removeAll()
        #expect(contents(of: fields).isEmpty && fields.encodedBytes == 0)
    }

    @Test func `the limits are 32 fields and one frame`() {
        var fields = HTTP2Fields()
        for _ in 0..<32 { fields.add("a", "b") }
        #expect(!fields.isOverfull)
        fields.add("a", "b")
        #expect(fields.isOverfull && contents(of: fields).count == 32)
        fields.removeAll()
        fields.add("a", String(repeating: "x", count: 16384 - 1 - 12))
        #expect(!fields.isOverfull && fields.encodedBytes == 16384)
        fields.removeAll()
        fields.add("a", String(repeating: "x", count: 16384 - 12))
        #expect(fields.isOverfull && contents(of: fields).isEmpty)
    }
}
