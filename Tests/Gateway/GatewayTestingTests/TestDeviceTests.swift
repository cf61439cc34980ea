import APNSModel
import APNSProvider
import Foundation
import GatewayTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(10)))
struct TestDeviceTests {
    private static func send(_ number: Int, to device: TestDevice, _ gateway: TestGateway) async throws {
        let reply = try await gateway.provider.send(
            gateway.notification(to: device.hex, payload: "{\"aps\":{\"content-available\":1},\"number\":\(number)}"))
        try #require(reply.isAccepted)
    }

    private static func number(_ delivery: DeliveredNotification) -> String {
        String(String(decoding: delivery.payload, as: UTF8.self).split(separator: ":").last ?? "")
    }

    @Test func `deliveries are handed out one after the other`() async throws {
        try await withGateway { gateway in
            let device = try gateway.device()
            async let first = device.delivery(within: .seconds(300))
            for number in 1...3 { try await TestDeviceTests.send(number, to: device, gateway) }
            let numbers = [
                TestDeviceTests.number(try await first), TestDeviceTests.number(try await device.delivery()),
                TestDeviceTests.number(try await device.delivery()),
            ]
            #expect(numbers == ["1}", "2}", "3}"])
            #expect(device.deliveries.count == 3)
        }
    }

    @Test func `a delivery that does not come is an error that says why`() async throws {
        try await withGateway { gateway in
            let device = try gateway.device()
            let nothing = await #expect(throws: TestGatewayError.self) { try await device.delivery(within: .zero) }
            #expect(nothing?.detail.contains("the gateway got no notification for it") == true)
            try device.goOffline()
            try await TestDeviceTests.send(1, to: device, gateway)
            let stored = await #expect(throws: TestGatewayError.self) { try await device.delivery(within: .zero) }
            #expect(stored?.detail.contains("accepted, stored") == true)
            #expect(stored?.detail.hasSuffix("and the device is offline") == true)
            try device.goOnline()
            // The two that were waited for in vain are not counted.
            #expect(TestDeviceTests.number(try await device.delivery()) == "1}")
        }
    }

    @Test func `an uninstalled app gets Unregistered`() async throws {
        try await withGateway { gateway in
            let device = try gateway.device(topic: "com.example.agent.voip")
            #expect(device.topic.value == "com.example.agent.voip")
            try device.uninstall()
            var notification = try gateway.notification(to: device.hex, payload: "{}")
            notification.topic = device.topic
            notification.pushType = .voip
            notification.priority = .immediate
            #expect(try await gateway.provider.send(notification).reason == .unregistered)
        }
    }

    @Test func `its state is set`() async throws {
        try await withGateway { gateway in
            let device = try gateway.device("ab12")
            try device.setLowPower(true)
            try device.setLowData(true)
            try device.setBackgroundRefresh(false)
            try device.setAwake(false)
            try device.setNotifications(false)
            for state in TestDevice.AppState.allCases { try device.setAppState(state) }
            let answer = try await gateway.get("/api/devices/ab12")
            #expect(answer["low-power"] as? Bool == true && answer["low-data"] as? Bool == true)
            #expect(answer["background-refresh"] as? Bool == false)
            #expect(answer["awake"] as? Bool == false && answer["notifications"] as? Bool == false)
            #expect(answer["app-state"] as? String == "force-quit")
            #expect(throws: TestGatewayError.self) { try device.subscribe(to: ["bm8gc3VjaCBjaGFubmVs"]) }
        }
    }
}

extension TestGateway {
    /// What its control API answers.
    func get(_ path: String) async throws -> [String: Any] {
        let url = try #require(URL(string: controlURL + path))
        let data = try await URLSession.shared.data(from: url).0
        return try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
    }
}
