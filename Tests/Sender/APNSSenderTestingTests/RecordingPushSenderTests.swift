import APNSModel
import APNSPayload
import APNSProvider
import APNSSenderTesting
import Testing

struct RecordingPushSenderTests {
    /// What a service has: it does not know who sends.
    private struct Greeter {
        let sender: any PushSending

        func greet(_ device: DeviceToken) async throws -> Reply {
            try await sender.send(
                APNSNotification(AlertPush("Hello"), to: device, of: try Topic(parsing: "com.example.agent")))
        }
    }

    private let device = DeviceToken([0xab, 0x12])!
    private static let lost = APNSSendError(.connectionLost, "gone", isSafeToRetry: false)

    private func notification(_ text: String, id: NotificationID? = nil) throws -> APNSNotification {
        APNSNotification(
            AlertPush(Alert(.plain(text))), to: device, of: try Topic(parsing: "com.example.agent"), id: id)
    }

    @Test func `it records what was sent, and accepts it`() async throws {
        let sender = RecordingPushSender()
        #expect(try await Greeter(sender: sender).greet(device).isAccepted)
        #expect(sender.notifications.map(\.deviceToken) == [device])
        let id = NotificationID()
        #expect(try await sender.send(notification("a", id: id)).apnsID == id)
        sender.forget()
        #expect(sender.notifications.isEmpty)
    }

    @Test func `it answers as the test says`() async throws {
        let gone = RecordingPushSender(refusing: .unregistered, timestamp: 7)
        guard case .refused(let refusal) = try await Greeter(sender: gone).greet(device) else {
            Issue.record("not refused")
            return
        }
        #expect(refusal.reason == .unregistered && refusal.timestamp == 7 && refusal.apnsID != nil)
        let silent = RecordingPushSender(failing: Self.lost)
        await #expect(throws: Self.lost) { try await Greeter(sender: silent).greet(device) }
        #expect(silent.notifications.count == 1)
        gone.setAnswer { .accepted(apnsID: $0.id ?? NotificationID(), uniqueID: "u") }
        #expect(try await Greeter(sender: gone).greet(device).isAccepted)
    }

    @Test func `what a check finds is not sent, unless checks are off`() async throws {
        var notification = try notification("a")
        notification.payload = Array("{".utf8)
        let sender = RecordingPushSender()
        let error = await #expect(throws: APNSSendError.self) { try await sender.send(notification) }
        #expect(error?.code == .invalidNotification && error?.isSafeToRetry == true && sender.notifications.isEmpty)
        #expect(try await RecordingPushSender(validates: false).send(notification).isAccepted)
    }

    @Test func `a bulk send gives each notification its result`() async throws {
        struct Broken: Error {}
        let sender: any PushSending = RecordingPushSender { notification throws(APNSSendError) in
            if notification.collapseID != nil { throw Self.lost }
            return .refused(Refusal(.badDeviceToken, apnsID: notification.id))
        }
        let (source, continuation) = AsyncThrowingStream.makeStream(of: APNSNotification.self)
        var collapsing = try notification("b")
        collapsing.collapseID = CollapseID("b")
        var wrong = try notification("c")
        wrong.payload = []
        for one in [try notification("a"), collapsing, wrong] { continuation.yield(one) }
        continuation.finish(throwing: Broken())
        var outcomes: [String] = []
        await #expect(throws: Broken.self) {
            for try await result in sender.send(all: source) {
                outcomes.append("\(result.index) \(result.outcome.name)")
            }
        }
        #expect(outcomes == ["0 refused", "1 unknown", "2 unsent"])
    }

    @Test(.timeLimit(.minutes(10))) func `ending the iteration of the results stops a bulk send`() async throws {
        let sender = RecordingPushSender()
        let (source, notifications) = AsyncStream.makeStream(of: APNSNotification.self)
        let (ends, ended) = AsyncStream.makeStream(of: Bool.self)
        notifications.onTermination = {
            if case .cancelled = $0 { ended.yield(true) } else { ended.yield(false) }
        }
        notifications.yield(try notification("a"))
        for try await result in sender.send(all: source) {
            #expect(result.outcome.name == "accepted")
            break
        }
        // The sender waits for the next notification until it is stopped.
        #expect(await ends.first { _ in true } == true)
        notifications.yield(try notification("b"))
        #expect(sender.notifications.count == 1)
    }

    @Test(.timeLimit(.minutes(10))) func `a test waits for what is sent elsewhere`() async throws {
        let sender = RecordingPushSender()
        let (first, second) = (try notification("a"), try notification("b"))
        async let sent = sender.notifications(atLeast: 2)
        _ = try await sender.send(first)
        _ = try await sender.send(second)
        #expect(await sent == [first, second])
        #expect(await sender.notifications(atLeast: 1).count == 2)
        let waiting = Task { await sender.notifications(atLeast: 3) }
        waiting.cancel()
        #expect(await waiting.value.count == 2)
    }
}
