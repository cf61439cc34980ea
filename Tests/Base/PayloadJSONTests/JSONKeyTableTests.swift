import PayloadJSON
import Testing

struct JSONKeyTableTests {
    private static let names = [
        "", "a", "b", "ab", "badge", "thread-id", "contents", "contentX", "content-available", "content-availablE",
        "Content-available", "content-Xvailable", "Simulator Target Bundle", "123456789012345678901234", "é", "😀",
    ]
    private let table = JSONKeyTable(JSONKeyTableTests.names.enumerated().map { ($0.element, UInt8($0.offset)) })
    private var values = [JSONIndex](repeating: .root, count: 64)

    private mutating func scan(_ text: String) throws -> (JSONKeyScan, JSONDocument) {
        let document = try JSONDocument(Array(text.utf8))
        return (document.scan(.root, for: table, into: &values), document)
    }

    @Test mutating func `each name is found, with and without an escape`() throws {
        for (id, name) in JSONKeyTableTests.names.enumerated() {
            let escaped = name.unicodeScalars.first.map { first in
                let units = String(first).utf16.map { "\\u" + String(0x10000 + Int($0), radix: 16).dropFirst() }
                return units.joined() + String(name.unicodeScalars.dropFirst())
            }
            for spelling in [name, escaped].compactMap({ $0 }) {
                // Near the end of the text eight bytes cannot be read at once.
                let (scan, document) = try scan("{\"\(spelling)\":7}")
                #expect(scan.found == 1 << UInt64(id) && !scan.hasOthers && !scan.repeatsKey && scan.nulls == 0)
                #expect(document.integer(of: values[id]) == 7)
            }
        }
    }

    @Test mutating func `a key that differs in any place is not found`() throws {
        for name in JSONKeyTableTests.names where name.utf8.count > 2 {
            for place in name.indices {
                var other = name
                other.replaceSubrange(place...place, with: "_")
                let (scan, _) = try scan("{\"\(other)\":null}")
                #expect(scan.found == 0 && scan.hasOthers, "\(other)")
            }
            #expect(try scan("{\"\(name)x\":1}").0.found == 0)
            #expect(try scan("{\"\(name.dropLast())\":1,\"\(name)\":1}").0.found != 0)
        }
    }

    @Test mutating func `a key has a null only if its last value is null`() throws {
        #expect(try scan(#"{"a":1,"a":null}"#).0.nulls == 2)
        #expect(try scan(#"{"a":null,"a":1}"#).0.nulls == 0)
        #expect(try scan(#"{"x":null}"#).0.nulls == 0)
    }

    @Test(arguments: [
        (#"{"x":1,"y":2}"#, false), (#"{"x":1,"x":2}"#, true), (#"{"a":1,"a":2}"#, true),
        (#"{"x":1,"\u0078":2}"#, true),
        (#"{"\u0078":1,"x":2}"#, true), (#"{"\u0078":1,"y":2}"#, false), (#"{"x":{"y":1},"y":2}"#, false),
    ])
    func `a repeated key is reported`(text: String, repeats: Bool) throws {
        var test = JSONKeyTableTests()
        #expect(try test.scan(text).0.repeatsKey == repeats)
        #expect(try JSONDocument(Array(text.utf8)).repeatsKey(inObjectsBut: []) == repeats)
    }

    @Test mutating func `many different keys are not reported as repeated, and one repeated among them is`() throws {
        let members = (0..<2_000).map { "\"record-\($0)-name\":\($0)" }
        #expect(try !scan("{\(members.joined(separator: ","))}").0.repeatsKey)
        #expect(try scan("{\((members + ["\"record-7-name\":0"]).joined(separator: ","))}").0.repeatsKey)
        let nested = try JSONDocument(Array("[{\((members + members.prefix(1)).joined(separator: ","))}]".utf8))
        #expect(nested.repeatsKey(inObjectsBut: []))
    }

    @Test func `names may share an id, and a table may have many names`() throws {
        let names = (0..<250).map { ("name-of-\($0)", UInt8($0 % 3)) }
        let table = JSONKeyTable(names)
        for (name, id) in names {
            let document = try JSONDocument(Array("{\"\(name)\":1,\"\(name)x\":1}".utf8))
            var values = [JSONIndex](repeating: .root, count: 64)
            let scan = document.scan(.root, for: table, into: &values)
            #expect(scan.found == 1 << UInt64(id) && scan.hasOthers)
        }
    }
}
