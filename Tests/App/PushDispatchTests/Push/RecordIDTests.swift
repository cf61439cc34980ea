import Foundation
import PushDispatch
import Testing

struct RecordIDTests {
    static let table = [
        ("a0RE000000IJmcN", "MAT"), ("a01M00000062mPg", "IAI"), ("001M000000qfPyS", "IAU"), ("a0FE000000D6r3F", "MAR"),
        ("0F9E000000092w2", "KAA"), ("001D000000IRFma", "IAH"), ("001xx000003DGb2", "AAG"), ("aaaaaaaaaaaaaaa", "AAA"),
        ("AAAAAAAAAAAAAAA", "555"), ("AbCdEfGhIjKlMnO", "VKV"), ("aBcDEfgHIJKLMNO", "025"), ("000000000000000", "AAA"),
    ]

    @Test(arguments: table) func `fifteen characters get their suffix`(short: String, suffix: String) throws {
        #expect(try #require(RecordID(short)).description == short + suffix)
    }

    @Test(arguments: table) func `both spellings of an id are one record`(short: String, suffix: String) throws {
        let reading = try RecordID.read(short + suffix)
        #expect(reading.id == RecordID(short))
        #expect(!reading.isRepaired)
        #expect(Set([RecordID(short), reading.id]).count == 1)
    }

    @Test(arguments: table) func `a lost case is repaired from the suffix`(short: String, suffix: String) throws {
        for spelling in [short.lowercased() + suffix, short.uppercased() + suffix, short + suffix.lowercased()] {
            let reading = try RecordID.read(spelling)
            #expect(reading.id.description == short + suffix)
            #expect(reading.isRepaired == (spelling != short + suffix))
        }
    }

    @Test func `ids that differ only in case are two records`() {
        #expect(RecordID("001xx000003DGb2") != RecordID("001xx000003dgb2"))
    }

    @Test(arguments: [
        ("", RecordID.Problem.wrongLength(0)), ("001", .wrongLength(3)), ("001xx000003DGb2A", .wrongLength(16)),
        ("001xx000003DGb2AAG0", .wrongLength(19)), ("001xx000003DGb'", .wrongCharacter),
        ("001xx000003DG b", .wrongCharacter), ("001xx000003DGé", .wrongCharacter),
        ("001xx000003DGb2A-G", .wrongCharacter), ("001xx000003DGb2AA6", .wrongSuffix),
        ("000000000000000BAA", .wrongSuffix), ("x' OR 'a'='a'--", .wrongCharacter),
    ])
    func `anything else is not an id`(text: String, problem: RecordID.Problem) {
        #expect(throws: problem) { try RecordID.read(text) }
        #expect(RecordID(text) == nil)
    }

    @Test func `ids are ordered like their descriptions`() throws {
        let ids = try Self.table.map { try #require(RecordID($0.0)) }
        #expect(
            ids.sorted().map(\.description)
                == ids.map(\.description).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
    }

    @Test func `an id is coded as its eighteen characters`() throws {
        let ids = [try #require(RecordID("001xx000003DGb2"))]
        let data = try JSONEncoder().encode(ids)
        #expect(String(decoding: data, as: UTF8.self) == #"["001xx000003DGb2AAG"]"#)
        #expect(try JSONDecoder().decode([RecordID].self, from: data) == ids)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode([RecordID].self, from: Data(#"["x"]"#.utf8)) }
    }
}
