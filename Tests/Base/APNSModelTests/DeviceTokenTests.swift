import APNSModel
import Testing

struct DeviceTokenTests {
    @Test(arguments: ["", "a", "abc", "zz", "ab cd", "0x12", "ａｂ", "é1"])
    func `a text that is not an even number of hexadecimal digits is no device token`(text: String) {
        #expect(DeviceToken(text) == nil)
    }

    @Test func `case does not matter`() {
        #expect(DeviceToken("AB12") == DeviceToken("ab12"))
        #expect(DeviceToken("AB12")?.hex == "ab12")
    }

    @Test func `a log line shows only the first and last four digits`() throws {
        let token = try #require(DeviceToken("00112233445566778899aabbccddeeff"))
        #expect("\(token)" == "0011…eeff")
        #expect(token.byteCount == 16)
    }
}
