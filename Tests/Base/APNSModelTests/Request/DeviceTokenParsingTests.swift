import Foundation
import Testing

@testable import APNSModel

struct DeviceTokenParsingTests {
    @Test func `the bytes that the system gives become a device token`() throws {
        #expect(DeviceToken(Data([0x00, 0xAB, 0x7F]))?.hex == "00ab7f")
        #expect(try DeviceToken(parsing: [0xff, 0x10] as [UInt8]).hex == "ff10")
        #expect(DeviceToken((0...255).lazy.map { UInt8($0) })?.byteCount == 256)
        #expect(DeviceToken(Data()) == nil)
        let error = #expect(throws: APNSValueError.self) { try DeviceToken(parsing: Data()) }
        #expect(error?.code == .deviceToken)
    }

    @Test func `text is read, or the error says what it is`() throws {
        #expect(try DeviceToken(parsing: "AB12").hex == "ab12")
        #expect(
            DeviceToken.error(for: "").detail
                == "the device token is empty; write it in hexadecimal digits, two for each byte")
        let error = #expect(throws: APNSValueError.self) {
            try DeviceToken(parsing: "<740f4707 bebcf74f 9b7c25d4 8e335894 5f6aa01d a5ddb387 462c7eaf 61bb78ad>")
        }
        #expect(
            "\(try #require(error))" == """
                the device token "<740…8ad>" is the description of a Data value, with brackets; \
                write only its hexadecimal digits, without brackets and spaces
                """)
    }

    @Test func `a message shows the ends of a device token only, and nothing that moves the cursor`() {
        let detail = DeviceToken.error(for: "\u{1B}[31" + String(repeating: "secret", count: 9) + "\u{202E}00").detail
        #expect(!detail.contains("secret") && !detail.contains("\u{1B}") && !detail.contains("\u{202E}"), "\(detail)")
        #expect(detail.contains("has U+001B at character 1"))
    }
}
