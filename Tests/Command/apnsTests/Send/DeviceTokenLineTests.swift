import APNSModel
import Testing

@testable import apns

struct DeviceTokenLineTests {
    @Test func `a line of a token file is a device token, nothing, or bad`() throws {
        let device = try #require(DeviceToken("00ff"))
        #expect(DeviceTokenLine(Array("00FF".utf8)) == .deviceToken(device))
        #expect(DeviceTokenLine(Array(" \t00ff # mine".utf8)) == .deviceToken(device))
        #expect(DeviceTokenLine(Array("\u{FEFF}00ff".utf8)) == .deviceToken(device))
        for text in ["", "   ", "# 00ff", "\t#"] { #expect(DeviceTokenLine(Array(text.utf8)) == .nothing) }
        for text in ["0", "0g", "00 ff", "٠٠", "００"] {
            guard case .fault = DeviceTokenLine(Array(text.utf8)) else {
                Issue.record("\(text) was taken")
                continue
            }
        }
        let secret = String(repeating: "a", count: 63)
        guard case .fault(let fault) = DeviceTokenLine(Array(secret.utf8)) else { return #expect(Bool(false)) }
        #expect(!fault.contains(secret) && fault.contains("aaaa…aaaa"))
    }
}
