import Foundation
import Testing

@testable import APNSModel

struct DeviceTokenTests {
    @Test(arguments: [
        "", "a", "abc", "zz", "ab cd", "0x12", "ａｂ", "é1", "a\u{0}", "AB\n1", "a`", "@a", "/0", ":0", "Gg",
    ])
    func `a string that is not an even number of hexadecimal digits is refused`(text: String) {
        #expect(DeviceToken(text) == nil)
        #expect(DeviceToken(Substring(text)) == nil)
    }

    @Test func `case does not matter`() {
        #expect(DeviceToken("AB12") == DeviceToken("ab12"))
        #expect(DeviceToken("AB12")?.hex == "ab12")
        #expect(DeviceToken("0123456789ABCDEFabcdef")?.hex == "0123456789abcdefabcdef")
    }

    @Test func `any length is accepted`() {
        for bytes in [1, 32, 80, 1000] {
            #expect(DeviceToken(String(repeating: "0f", count: bytes))?.byteCount == bytes)
        }
    }

    @Test func `a log line shows only the first and last four digits`() throws {
        let token = try #require(DeviceToken("00112233445566778899aabbccddeeff"))
        #expect("\(token)" == "0011…eeff")
        #expect(token.byteCount == 16)
        #expect(DeviceToken.shorten("12345678") == "12345678")
        #expect(DeviceToken.shorten("not a device token") == "not …oken")
    }

    @Test func `one is encoded as its digits, which are checked again`() throws {
        let token = try #require(DeviceToken("ab12"))
        let json = try JSONEncoder().encode([token])
        #expect(String(decoding: json, as: UTF8.self) == #"["ab12"]"#)
        #expect(try JSONDecoder().decode([DeviceToken].self, from: json) == [token])
        let error = #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([DeviceToken].self, from: Data(#"["secret-token"]"#.utf8))
        }
        #expect(!"\(try #require(error))".contains("secret-token"))
    }

    @Test func `a recorded one keeps what APNs refuses`() {
        #expect(DeviceToken(recorded: "zz").hex == "zz")
    }
}
