import Foundation
import Testing

@testable import APNSModel

struct CollapseIDTests {
    @Test func `the limit is 64 bytes of UTF-8`() {
        #expect(CollapseID(String(repeating: "a", count: 64)) != nil)
        #expect(CollapseID(String(repeating: "a", count: 65)) == nil)
        #expect(CollapseID(String(repeating: "é", count: 32)) != nil)
        #expect(CollapseID(String(repeating: "é", count: 33)) == nil)
        #expect(CollapseID("") == nil)
    }

    @Test(arguments: ["a\nb", "a\rb", "\u{0}", "\u{1F}", "\u{7F}", "a\tb"])
    func `a control character is refused, because no header can carry it`(text: String) {
        #expect(CollapseID(text) == nil)
    }

    @Test(arguments: [" a", "a ", " ", " \u{301}a"])
    func `white space at either end is refused, but not by a gateway`(text: String) {
        #expect(CollapseID(text) == nil)
        #expect(CollapseID(received: text)?.value == text)
    }

    @Test func `one is encoded as its string, which is checked again`() throws {
        let id = try #require(CollapseID("score é"))
        #expect("\(id)" == "score é")
        let json = try JSONEncoder().encode([id])
        #expect(try JSONDecoder().decode([String].self, from: json) == ["score é"])
        #expect(try JSONDecoder().decode([CollapseID].self, from: json) == [id])
        #expect(throws: DecodingError.self) { try JSONDecoder().decode([CollapseID].self, from: Data(#"[""]"#.utf8)) }
    }

    @Test func `a recorded one keeps what APNs refuses`() {
        #expect(CollapseID(recorded: "").value == "")
    }
}
