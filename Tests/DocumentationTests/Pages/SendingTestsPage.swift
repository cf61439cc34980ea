import APNSSender
import APNSSenderTesting
import Testing

actor RemovedDevices: DeviceTable {
    private(set) var removed: [DeviceToken] = []

    func remove(_ device: DeviceToken, unlessReportedAfter time: Int64) { removed.append(device) }
}

struct PushesTests {
    let notification = APNSNotification(
        AlertPush("Hello"), to: DeviceToken([0xab, 0x12])!, of: Topic("com.example.app")!)

    @Test func `a dead device token is removed`() async throws {
        let devices = RemovedDevices()
        let sender = RecordingPushSender(refusing: .unregistered)
        let pushes = Pushes(sender: sender, devices: devices)
        #expect(try await pushes.send(notification) == false)
        #expect(await devices.removed == [notification.deviceToken])
        #expect(sender.notifications.count == 1)
    }

    @Test func `what is surely not sent is sent again`() async throws {
        let sender = RecordingPushSender(failing: APNSSendError(.connectionFailed, "no route", isSafeToRetry: true))
        let pushes = Pushes(sender: sender, devices: RemovedDevices(), pause: .zero)
        await #expect(throws: APNSSendError.self) { try await pushes.send(notification) }
        #expect(sender.notifications.count == 3)
    }
}
