import PayloadJSON
import Testing

struct JSONObjectsTests {
    @Test func `the objects are those at all depths, in order`() throws {
        let document = try JSONDocument(Array(#"{"a":[{"b":{}},1,{}],"c":"{}"}"#.utf8))
        #expect(document.objects.map { document.source(of: $0) }.map(\.count) == [30, 8, 2, 2])
        #expect(document.objectCount == 4)
        #expect(try JSONDocument(Array("[1]".utf8)).objects.map { $0 } == [])
    }

    @Test func `a key is found in a table, with and without escapes`() throws {
        let table = JSONKeyTable([("aps", 3), ("badge", 7)])
        let document = try JSONDocument(Array(#"{"aps":1,"b\u0061dge":2,"other":3}"#.utf8))
        #expect(document.members(of: .root).map { document.find($0.key, in: table) } == [3, 7, nil])
    }
}
