import APNSModel
import Testing

@testable import GatewayCore

/// Device tokens that change: docs/reference/apns.md section 8 and 3.6.
struct DeviceTokenChangeTests {
    private func change(
        _ phone: inout DeviceScenario, by change: DeviceTokenChange, noticedAfter: Int64? = nil
    ) throws -> (old: Device, new: Device, events: [DeliveryEvent]) {
        let changed = try phone.running.world.changeToken(
            of: phone.token, in: .sandbox, by: change, noticedAfter: noticedAfter, real: 0)
        return try #require(changed)
    }

    private func send(_ phone: inout DeviceScenario, to token: DeviceToken) throws -> Verdict {
        try phone.running.send(Scenario().with { $0.head.path = "/3/device/\(token.hex)" }).verdict
    }

    @Test(arguments: DeviceTokenChange.allCases)
    func `the new device token is good at once, and the old one is dead`(change: DeviceTokenChange) throws {
        var phone = try DeviceScenario()
        let (old, new, _) = try self.change(&phone, by: change)
        #expect(new.token != old.token && new.topic == old.topic && new.kind == old.kind)
        #expect(new.predecessor == old.token && old.successor == new.token)
        #expect(new.registeredAt == Scenario.start)
        #expect(try send(&phone, to: new.token).isAccepted)
        #expect(
            try send(&phone, to: old.token).outcome == .refused(.unregistered, timestamp: Scenario.start))
    }

    @Test func `the old device token can die late, with the time at which the gateway noticed`() throws {
        var phone = try DeviceScenario()
        let old = try change(&phone, by: .reinstall, noticedAfter: 600_000).old.token
        phone.running.advance(milliseconds: 599_999)
        let accepted = try phone.running.send(Scenario())
        #expect(accepted.verdict.isAccepted)
        #expect(phone.stages(accepted) == [.dropped])
        phone.advance(.seconds(60))
        let refused = try send(&phone, to: old)
        #expect(refused.outcome == .refused(.unregistered, timestamp: Scenario.start + 600_000))
    }

    @Test func `a reinstalled app is on the same device, and a restored one on another`() throws {
        let patch = DevicePatch(
            isOnline: false, isAwake: false, isInLowPower: true, isInLowData: true, allowsBackgroundRefresh: false,
            allowsNotifications: false, budget: .lifted)
        var phone = try DeviceScenario()
        try phone.patch(patch)
        let reinstalled = try change(&phone, by: .reinstall).new
        #expect(!reinstalled.isOnline && !reinstalled.isAwake && reinstalled.isInLowPower && reinstalled.isInLowData)
        #expect(reinstalled.allowsBackgroundRefresh && reinstalled.allowsNotifications)
        #expect(reinstalled.budget == .lifted)

        phone = try DeviceScenario()
        try phone.patch(patch)
        let restored = try change(&phone, by: .restore).new
        #expect(restored.isOnline && restored.isAwake && !restored.isInLowPower && !restored.isInLowData)
        #expect(!restored.allowsBackgroundRefresh && !restored.allowsNotifications)
    }

    @Test func `what waited for the old device token is dropped, and its channels are left`() throws {
        var phone = try DeviceScenario()
        try phone.patch(DevicePatch(isOnline: false))
        let stored = try phone.alert()
        let (_, new, events) = try change(&phone, by: .restore)
        #expect(events.map(\.stage) == [.dropped])
        #expect(phone.stages(stored) == [.stored, .dropped])
        #expect(new.waitingCount == 0 && new.history.isEmpty && new.channels.isEmpty)
    }

    @Test func `a device token is replaced once, until the app reports it again`() throws {
        var phone = try DeviceScenario()
        let new = try change(&phone, by: .reinstall).new.token
        #expect(throws: RegistrationError.tokenReplaced(by: new)) { try change(&phone, by: .reinstall) }
        phone.running.advance(milliseconds: 1000)
        let again = try phone.running.world.register(Scenario().devices[0], real: 0)
        #expect(again.successor == nil && again.isInstalled)
        // The rule for senders: keep the device token, because the app reported it after the timestamp of the 410.
        #expect(again.registeredAt > Scenario.start)
        #expect(try change(&phone, by: .reinstall).new.token != new)
    }

    @Test func `an app that was removed and is installed later dies when it was removed`() throws {
        var phone = try DeviceScenario()
        _ = phone.running.world.uninstall(phone.token, in: .sandbox, noticedAfter: 5000, real: 0)
        phone.advance(.seconds(60))
        _ = try change(&phone, by: .reinstall)
        #expect(
            try send(&phone, to: phone.token).outcome == .refused(.unregistered, timestamp: Scenario.start + 5000))
    }

    @Test func `the same seed makes the same device tokens`() throws {
        let tokens = try ([1, 1, 2] as [UInt64]).map { seed in
            var phone = try DeviceScenario(seed: seed)
            return try change(&phone, by: .restore).new.token
        }
        #expect(tokens[0] == tokens[1] && tokens[0] != tokens[2])
    }

    @Test func `there is none for an unknown device, nor beyond the limit of devices`() throws {
        var phone = try DeviceScenario()
        let unknown = try #require(DeviceToken("00"))
        let none = try phone.running.world.changeToken(of: unknown, in: .sandbox, by: .restore, real: 0)
        #expect(none == nil)
        phone.running.world.settings.maximumDevices = 1
        #expect(throws: RegistrationError.full("devices", 1)) { try change(&phone, by: .restore) }
        #expect(try phone.device.isInstalled, "nothing has changed")
    }
}
