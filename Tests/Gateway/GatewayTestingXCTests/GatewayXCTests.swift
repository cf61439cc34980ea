import APNSModel
import APNSPayload
import APNSProvider
import GatewayTesting
import XCTest

/// The library in a target of XCTest, as docs/testing.md shows it. `tools/test tests` runs these beside all others, which
/// are of Swift Testing.
final class GatewayXCTests: XCTestCase {
    func testAnAlertIsSentOnce() async throws {
        try await withGateway(device: "ab12", topic: "com.example.mail") { gateway in
            var notification = try gateway.notification(to: "ab12", payload: #"{"aps":{"alert":"Hello"}}"#)
            notification.pushType = .alert
            let reply = try await gateway.provider.send(notification)
            XCTAssertTrue(reply.isAccepted)
            await gateway.expect(.delivered(to: "ab12", payload: ["aps": ["alert": "Hello"]]), count: .once)
        }
    }
}
