import APNSModel
import APNSProvider
import HTTP2Session
import Testing

/// What an error says about a connection that ended, with a gateway on a loopback port.
struct PushProviderCausesTests {
    private func error(
        from answer: ScriptedGateway.Answer, _ change: (inout APNSNotification) -> Void = { _ in }
    ) async throws -> APNSSendError {
        try await ScriptedGateway.with(script: { _ in answer }) { _, configuration in
            var configuration = configuration
            configuration.validates = false
            let provider = try PushProvider(configuration)
            var notification = TestNotifications.notification(1)
            change(&notification)
            let error = await #expect(throws: APNSSendError.self) { _ = try await provider.send(notification) }
            await provider.close()
            return try #require(error)
        }
    }

    @Test func `which flood ended the connection reaches the caller`() async throws {
        let error = try await error(from: .flood)
        #expect(error.code == .connectionLost && !error.isSafeToRetry)
        #expect(
            error.detail == "the peer broke HTTP/2: too many PING frames (ENHANCE_YOUR_CALM) before the answer came; "
                + "the notification may have been delivered")
    }

    @Test func `the reason of a GOAWAY reaches the caller`() async throws {
        let error = try await error(from: .disconnectAfterGoAway(.internalError, "out of workers"))
        #expect(error.code == .connectionLost)
        #expect(error.detail.hasPrefix("the gateway sent GOAWAY (INTERNAL_ERROR, out of workers); the peer closed"))
    }

    @Test func `a header value with a line end does not leave`() async throws {
        let error = try await error(from: .accept) { $0.pushType = PushType(rawValue: "alert\r\nx: y") }
        #expect(error.code == .invalidNotification && error.isSafeToRetry)
        #expect(error.detail == "the push type has a carriage return, which no header can carry")
    }
}
