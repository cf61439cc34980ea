import APNSModel
import Synchronization
import Testing

@testable import APNSProvider

/// A provider writes its header fields without strings, and a preview shows them as strings.
@Suite(.timeLimit(.minutes(10))) struct RequestFieldsTests {
    private static let all = TestNotifications.notification(1)

    private static let few: APNSNotification = {
        var few = TestNotifications.notification(2)
        (few.priority, few.expiration, few.collapseID) = (nil, nil, nil)
        return few
    }()

    @Test func `what a preview shows is what is sent`() async throws {
        try await ScriptedGateway.with(script: { _ in .accept }) { gateway, configuration in
            let provider = try PushProvider(configuration)
            for notification in [Self.all, Self.few] {
                let reply = try await provider.send(notification)
                guard case .accepted(let id, _) = reply else {
                    Issue.record("\(reply)")
                    continue
                }
                let request = try #require(gateway.log.withLock { $0.requests.last })
                let shown = RequestFields.fields(of: notification, apnsID: id.text)
                let sent = request.fields.filter { !$0.key.hasPrefix(":") && $0.key != "authorization" }
                #expect(sent == Dictionary(shown.map { ($0.name, $0.value) }) { first, _ in first })
                #expect(request.fields[":path"] == RequestFields.path(of: notification.deviceToken.hex))
            }
            await provider.close()
        }
    }
}
