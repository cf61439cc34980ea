import APNSModel
import Foundation
import Testing

struct ChannelIDTests {
    @Test(arguments: ["", "a", "abc", "ab=c", "====", "a===", "ab c", "äbcd", "ab-_"])
    func `a channel id that is not base64 is refused`(text: String) { #expect(ChannelID(text) == nil) }

    @Test(arguments: ["mUIqAGdpEfCQjwAAajWZ/w==", "dGVzdA==", "AbC+"])
    func `a channel id is base64`(text: String) { #expect(ChannelID(text)?.base64 == text) }

    @Test func `bytes become base64`() { #expect(ChannelID(bytes: Array("test".utf8)).base64 == "dGVzdA==") }

    @Test func `the coded form is the text, and another text is refused`() throws {
        let id = try #require(ChannelID("dGVzdA=="))
        #expect(try JSONEncoder().encode([id]) == Data(#"["dGVzdA=="]"#.utf8))
        #expect(try JSONDecoder().decode([ChannelID].self, from: Data(#"["dGVzdA=="]"#.utf8)) == [id])
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([ChannelID].self, from: Data(#"["test!"]"#.utf8))
        }
    }
}
