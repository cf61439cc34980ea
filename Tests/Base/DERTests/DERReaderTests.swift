import DER
import Testing

struct DERReaderTests {
    @Test func `elements are read in order, with their tags`() throws {
        var outer = DERReader([0x30, 0x06, 0x02, 0x01, 0x05, 0x04, 0x01, 0x09][...])
        var reader = DERReader(try outer.next(DERReader.Tag.sequence))
        #expect(outer.isAtEnd && !reader.isAtEnd)
        let first = try reader.next()
        #expect(first.tag == DERReader.Tag.integer && first.content == [0x05])
        #expect(try reader.next(DERReader.Tag.octetString) == [0x09])
        #expect(reader.isAtEnd)
        try reader.end()
    }

    @Test func `an optional element is read only if its tag is next`() throws {
        var reader = DERReader([0x04, 0x01, 0x07][...])
        #expect(try reader.optional(DERReader.Tag.context0) == nil)
        #expect(try reader.optional(DERReader.Tag.octetString) == [0x07])
        #expect(try reader.optional(DERReader.Tag.octetString) == nil)
    }

    @Test(arguments: [
        ("", DERReader.Failure.truncated), ("02", .truncated), ("0201", .truncated), ("0281", .truncated),
        ("028201", .truncated), ("028180", .truncated), ("1f0100", .malformed(at: 0)), ("3f1000", .malformed(at: 0)),
        ("028005", .malformed(at: 1)), ("02810105", .malformed(at: 1)), ("0282000105", .malformed(at: 1)),
        ("028300010005", .malformed(at: 1)), ("028401000000", .malformed(at: 1)), ("02ff", .malformed(at: 1)),
    ])
    func `what is not DER is refused`(hex: String, failure: DERReader.Failure) {
        var reader = DERReader(bytes(hex)[...])
        #expect(throws: failure) { try reader.next() }
    }

    @Test func `an offset counts from the start of the whole input`() throws {
        var outer = DERReader(bytes("3005020101 0400")[...])
        var reader = DERReader(try outer.next(DERReader.Tag.sequence))
        _ = try reader.next()
        #expect(throws: DERReader.Failure.malformed(at: 5)) { try reader.next(DERReader.Tag.integer) }
        var rest = DERReader(bytes("050000")[...])
        _ = try rest.next()
        #expect(throws: DERReader.Failure.malformed(at: 2)) { try rest.end() }
    }

    @Test(arguments: [0, 1, 0x7f, 0x80, 0xff, 0x100, 0xffff, 0x10000, 0x20001])
    func `what is written is read, with the shortest length`(count: Int) throws {
        let content = [UInt8](repeating: 7, count: count)
        let written = DERWriter.element(DERReader.Tag.octetString, content)
        var reader = DERReader(written[...])
        #expect(try reader.next(DERReader.Tag.octetString).elementsEqual(content))
        #expect(reader.isAtEnd)
        let lengthBytes = count < 0x80 ? 1 : count < 0x100 ? 2 : count < 0x10000 ? 3 : 4
        #expect(written.count == 1 + lengthBytes + count)
        for cut in written.indices.prefix(8) {
            var reader = DERReader(written[..<cut])
            #expect(throws: DERReader.Failure.truncated) { try reader.next() }
        }
    }

    private func bytes(_ hex: String) -> [UInt8] {
        let digits = hex.compactMap { $0.hexDigitValue.map { UInt8($0) } }
        return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }
}
