import APNSModel
import APNSPayload
import Testing

@testable import apns

struct NotificationReaderTests {
    @Test func `each device token gets every payload, in order`() throws {
        let topic = try #require(Topic("com.example.a"))
        let devices = try ["aa", "bb"].map { try #require(DeviceToken($0)) }
        let template = MessageTemplate(topic: topic, pushType: .background, payloads: [[1], [2]])
        try withTemporaryFile("cc\n") { path in
            var reader = NotificationReader(
                template, deviceTokens: devices, tokenFile: LineReader(try InputFile(path: path)))
            var sent: [String] = []
            while let item = try reader.next(until: nil) {
                guard case .notification(let notification) = item else { continue }
                #expect(notification.priority == .powerConsiderate)
                sent.append("\(notification.deviceToken.hex)\(notification.payload[0])")
            }
            #expect(sent == ["aa1", "aa2", "bb1", "bb2", "cc1", "cc2"])
        }
    }
}
