import Testing

@testable import APNSPayload

struct CompactJSONTests {
    @Test(arguments: [
        ("{}", "{}"), ("{ }", "{}"), (" [ 1 ,\t2\r\n] ", "[1,2]"), (#"{ "a b" : " c " }"#, #"{"a b":" c "}"#),
        (#"["\" ", " \\" ]"#, #"["\" "," \\"]"#),
    ])
    func `white space between values is removed and no other`(json: String, compact: String) {
        let source = Array(json.utf8)
        let (bytes, omitted) = CompactJSON.compact(source, in: source.indices)
        #expect(String(decoding: bytes, as: UTF8.self) == compact)
        #expect(omitted.reduce(0) { $0 + $1.count } == source.count - bytes.count)
        #expect(source.withUnsafeBufferPointer { CompactJSON.bytes(of: $0) } == bytes)
    }

    @Test func `only the range is compacted`() {
        let source = Array(#"{ "a" : [ 1 ] }"#.utf8)
        let (bytes, omitted) = CompactJSON.compact(source, in: 8..<13)
        #expect(String(decoding: bytes, as: UTF8.self) == "[1]")
        #expect(omitted == [9..<10, 11..<12])
    }
}
