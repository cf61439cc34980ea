import APNSModel
import Testing

@testable import GatewayCore

struct DeviceTests {
    @Test func `strict refuses an unknown device token, open registers it with the topic of its first use`() throws {
        let token = try #require(DeviceToken("cafe"))
        var scenario = Scenario().with { $0.head.path = "/3/device/cafe" }
        #expect(try scenario.verdict().reason == .badDeviceToken)
        scenario.settings.unknownDevices = .open
        var running = try scenario.run()
        #expect(try running.send(scenario).verdict.isAccepted)
        #expect(running.world.device(token, in: .sandbox)?.topic.value == Scenario.topic)
        #expect(running.world.device(token, in: .sandbox)?.isImplicit == true)
        #expect(running.world.device(token, in: .production) == nil)
        try running.world.register(RegisteredApp(topic: "com.example.chat", teamID: Keys.team))
        running.connection = GatewayConnection(environment: .sandbox)
        #expect(
            try running.send(scenario.with { $0.head.topic = "com.example.chat" }).verdict.reason
                == .deviceTokenNotForTopic)
    }

    @Test func `a refused request registers nothing`() throws {
        let scenario = Scenario().with {
            $0.settings.unknownDevices = .open
            $0.head.path = "/3/device/cafe"
            $0.head.pushType = "voip"
        }
        var running = try scenario.run()
        #expect(try running.send(scenario).verdict.reason == .invalidPushType)
        #expect(running.world.device(try #require(DeviceToken("cafe")), in: .sandbox) == nil)
    }

    @Test(arguments: [WorldSettings.UnknownDevicePolicy.open, .strict])
    func `a device token of the other environment is BadDeviceToken`(registration: WorldSettings.UnknownDevicePolicy)
        throws
    {
        let scenario = Scenario().with {
            $0.settings.unknownDevices = registration
            $0.devices[0].environment = .production
        }
        let verdict = try scenario.verdict()
        #expect(verdict.reason == .badDeviceToken)
        #expect(verdict.why.contains("belongs to production; this is sandbox"))
    }

    @Test func `one device token can stand in both environments`() throws {
        let scenario = Scenario().with {
            $0.devices.append(
                DeviceRegistration(topic: Scenario.topic, token: Scenario.token, environment: .production))
        }
        #expect(try scenario.verdict().isAccepted)
    }

    @Test func `upper-case digits are the same device token`() throws {
        #expect(try Scenario().with { $0.head.path = "/3/device/" + Scenario.token.uppercased() }.verdict().isAccepted)
    }

    @Test(arguments: [(100, nil), (101, Reason.badDeviceToken), (1, nil)] as [(Int, Reason?)])
    func `a device token has 1 to 100 bytes`(bytes: Int, reason: Reason?) throws {
        let scenario = Scenario().with {
            $0.settings.unknownDevices = .open
            $0.head.path = "/3/device/" + String(repeating: "0f", count: bytes)
        }
        #expect(try scenario.verdict().reason == reason)
        let strict = scenario.with { $0.settings.contested.requires32ByteDeviceTokens = true }
        #expect(try strict.verdict().reason == .badDeviceToken)
    }

    @Test func `after an uninstall the answer is 410 with its time, and a report afterwards makes it good again`()
        throws
    {
        var running = try Scenario().run()
        let token = try Scenario().deviceToken
        running.advance(milliseconds: 1234)
        _ = running.world.uninstall(token, in: .sandbox, real: 0)
        running.advance(milliseconds: 60_000)
        let refused = try running.send(Scenario()).verdict
        #expect(refused.outcome == .refused(.unregistered, timestamp: Scenario.start + 1234))
        _ = running.world.uninstall(token, in: .sandbox, real: 0)
        #expect(try running.send(Scenario()).verdict.outcome == refused.outcome, "a second uninstall changes nothing")

        let device = try running.world.register(Scenario().devices[0], real: 0)
        // The rule for senders: keep the device token, because the app reported it after the timestamp.
        #expect(device.registeredAt > Scenario.start + 1234)
        #expect(try running.send(Scenario()).verdict.isAccepted)
    }

    @Test func `the uninstall can take a while to be noticed; until then notifications are dropped`() throws {
        let scenario = Scenario().with { $0.settings.unregisteredDelay = 10_000 }
        var running = try scenario.run()
        _ = running.world.uninstall(try scenario.deviceToken, in: .sandbox, real: 0)
        running.advance(milliseconds: 9_999)
        let accepted = try running.send(scenario)
        #expect(accepted.verdict.isAccepted)
        #expect(accepted.events.map(\.stage) == [.dropped])
        running.advance(milliseconds: 1)
        #expect(
            try running.send(scenario).verdict.outcome == .refused(.unregistered, timestamp: Scenario.start + 10_000))
    }

    @Test func `a device token can expire, with a 410, or the 400 of older documents`() throws {
        var running = try Scenario().run()
        let patch = DevicePatch(expiresAt: Scenario.start + 5000)
        _ = running.world.patch(try Scenario().deviceToken, in: .sandbox, patch, real: 0)
        running.advance(milliseconds: 4999)
        #expect(try running.send(Scenario()).verdict.isAccepted)
        running.advance(milliseconds: 1)
        #expect(
            try running.send(Scenario()).verdict.outcome == .refused(.expiredToken, timestamp: Scenario.start + 5000))
        running.world.settings.contested.expiredTokenStatus = 400
        #expect(try running.send(Scenario()).verdict.status == 400)
    }

    @Test func `the rate of a device token counts accepted notifications of a period`() throws {
        let scenario = Scenario().with {
            $0.settings.deviceRate = WorldSettings.DeviceRate(count: 2, period: 1000)
        }
        var running = try scenario.run()
        let reasons = try (0..<3).map { _ in try running.send(scenario).verdict.reason }
        #expect(reasons == [nil, nil, .tooManyRequests])
        running.advance(milliseconds: 1000)
        #expect(try running.send(scenario).verdict.isAccepted)
    }

    @Test func `a rate of 0 refuses the first notification to a device token as well`() throws {
        let scenario = Scenario().with {
            $0.devices = []
            $0.settings.unknownDevices = .open
            $0.settings.deviceRate = WorldSettings.DeviceRate(count: 0, period: 60_000)
        }
        var running = try scenario.run()
        let reasons = try (0..<2).map { _ in try running.send(scenario).verdict.reason }
        #expect(reasons == [.tooManyRequests, .tooManyRequests])
    }

    @Test(arguments: DeviceKind.allCases)
    func `each kind of device token has the topic of its kind`(kind: DeviceKind) throws {
        var running = try Scenario().run()
        let device = try running.world.register(DeviceRegistration(topic: Scenario.topic, kind: kind), real: 0)
        #expect(device.topic.value == Scenario.topic + kind.topicSuffix)
        #expect(device.token.byteCount == 32)
        #expect(device.registeredAt == Scenario.start)
    }

    @Test func `what cannot be registered says why`() throws {
        var world = try Scenario().run().world
        func fault(_ registration: DeviceRegistration) -> RegistrationError? {
            do throws(RegistrationError) {
                _ = try world.register(registration, real: 0)
                return nil
            } catch {
                return error
            }
        }
        #expect(fault(DeviceRegistration(topic: "no topic")) == .badTopic("no topic"))
        #expect(fault(DeviceRegistration(topic: "a", token: "xyz")) == .badDeviceToken)
        #expect(fault(DeviceRegistration(topic: "a", token: String(repeating: "00", count: 101))) == .badDeviceToken)
        #expect(
            fault(DeviceRegistration(topic: "a.voip", kind: .widgets)) == .kindNotForTopic(.widgets, topic: "a.voip"))
        #expect(
            fault(DeviceRegistration(topic: "a", token: Scenario.token)) == .deviceTokenTaken(topic: Scenario.topic))
        #expect(fault(DeviceRegistration(topic: "a.voip", kind: .voip)) == nil)
    }

    @Test func `devices are listed in the order of registration, page by page`() throws {
        var world = try Scenario().run().world
        for token in ["01", "02", "03"] {
            _ = try world.register(DeviceRegistration(topic: "a", token: token), real: 0)
        }
        let first = world.devices(in: .sandbox, limit: 2)
        #expect(first.total == 4)
        #expect(first.devices.map(\.token.hex) == [Scenario.token, "01"])
        let second = world.devices(in: .sandbox, after: first.devices.last?.ordinal, limit: 2)
        #expect(second.devices.map(\.token.hex) == ["02", "03"])
    }

    @Test func `100,000 devices are read in pages, and one that comes meanwhile is on the last page`() throws {
        var table = DeviceTable()
        let topic = try #require(Topic(Scenario.topic))
        func add(_ number: Int) throws {
            let digits = String(number, radix: 16)
            let token = DeviceToken(String(repeating: "0", count: 8 - digits.count) + digits)
            _ = table.add(
                try #require(token), environment: .sandbox, kind: .app, topic: topic, isImplicit: false, at: 0,
                maximum: 200_000)
        }
        for number in 0..<100_000 { try add(number) }
        var sizes: [Int] = []
        var last: Device?
        while true {
            let page = table.devices(after: last?.ordinal, limit: 1000)
            guard let end = page.last else { break }
            if sizes.isEmpty { try add(100_000) }
            sizes.append(page.count)
            last = end
        }
        #expect(sizes == Array(repeating: 1000, count: 100) + [1])
        #expect(last?.token.hex == "000186a0")
    }

    @Test func `open registration forgets the device longest registered by use alone`() throws {
        var scenario = Scenario().with {
            $0.settings.unknownDevices = .open
            $0.settings.maximumDevices = 3
        }
        var running = try scenario.run()
        var events: [DeliveryEvent] = []
        for token in ["01", "02", "03"] {
            scenario.head.path = "/3/device/" + token
            events = try running.send(scenario).events
        }
        #expect(events.map(\.stage) == [.dropped, .stored])
        #expect(events.first?.delivery.token.hex == "01")
        #expect(running.world.devices(in: .sandbox, limit: 9).devices.map(\.token.hex) == [Scenario.token, "02", "03"])
    }

    @Test func `a patch changes what it names and nothing else`() throws {
        var running = try Scenario().run()
        let token = try Scenario().deviceToken
        let patch = DevicePatch(
            isOnline: false, isInLowPower: true, allowsBackgroundRefresh: false, appState: .forceQuit)
        let changed = running.world.patch(token, in: .sandbox, patch, real: 0)
        let device = try #require(changed).device
        #expect(!device.isOnline)
        #expect(device.isInLowPower)
        #expect(!device.allowsBackgroundRefresh)
        #expect(device.appState == .forceQuit)
        let same = running.world.patch(token, in: .sandbox, DevicePatch(), real: 0)
        #expect(same?.device == device)
        let none = running.world.patch(token, in: .production, DevicePatch(), real: 0)
        #expect(none == nil)
    }
}
