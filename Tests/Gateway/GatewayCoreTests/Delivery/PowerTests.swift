import APNSModel
import Testing

@testable import GatewayCore

/// What priority and power do to a delivery: docs/reference/apns.md 2.2 and 7.1.
struct PowerTests {
    static let quarter: Int64 = 900_000

    @Test(
        arguments: [
            ("10", DevicePatch(), nil), ("5", DevicePatch(), nil), ("1", DevicePatch(), nil),
            ("10", DevicePatch(isInLowPower: true), nil), ("5", DevicePatch(isInLowPower: true), .power),
            ("1", DevicePatch(isInLowPower: true), .lowPower),
            ("10", DevicePatch(isAwake: false), nil), ("5", DevicePatch(isAwake: false), nil),
            ("1", DevicePatch(isAwake: false), .sleep),
            ("5", DevicePatch(isInLowPower: true, appState: .foreground), nil),
            ("1", DevicePatch(isAwake: false, isInLowPower: true, appState: .foreground), nil),
        ] as [(String, DevicePatch, Hold.Cause?)])
    func `priority and power decide together whether a notification waits`(
        priority: String, patch: DevicePatch, cause: Hold.Cause?
    ) throws {
        var phone = try DeviceScenario()
        try phone.patch(patch)
        let judgement = try phone.alert(priority: priority)
        #expect(phone.stages(judgement) == [cause == nil ? .delivered : .throttled])
        #expect(try phone.device.waiting.first?.hold?.cause == cause)
    }

    @Test func `in low-power mode priority 5 goes in groups`() throws {
        var phone = try DeviceScenario()
        try phone.patch(DevicePatch(isInLowPower: true))
        phone.advance(.seconds(10))
        let group = (phone.now / Self.quarter + 1) * Self.quarter
        let held = try phone.alert(priority: "5")
        #expect(try phone.device.waiting.first?.hold == Hold(cause: .power, until: group))
        phone.advance(.milliseconds(group - phone.now - 1000))
        #expect(phone.stages(held) == [.throttled])
        phone.advance(.seconds(1))
        #expect(phone.stages(held) == [.throttled, .delivered])
        #expect(phone.life(held).last?.at == group)
    }

    @Test(arguments: [
        DevicePatch(isInLowPower: false), DevicePatch(appState: .foreground),
    ])
    func `what waits for power goes when the power is back or the app is opened`(patch: DevicePatch) throws {
        for priority in ["5", "1"] {
            var phone = try DeviceScenario()
            try phone.patch(DevicePatch(isInLowPower: true))
            let held = try phone.alert(priority: priority)
            #expect(try phone.patch(patch).map(\.delivery.sequence) == [held.sequence])
        }
    }

    @Test func `a device that wakes gets what waited for that`() throws {
        var phone = try DeviceScenario()
        try phone.patch(DevicePatch(isAwake: false))
        let held = try phone.alert(priority: "1")
        phone.advance(.seconds(86_400))
        #expect(phone.stages(held) == [.throttled])
        try phone.patch(DevicePatch(isAwake: true))
        #expect(phone.stages(held) == [.throttled, .delivered])
    }

    @Test func `what waits for power goes along with one of priority 10, but a silent push waits for its own`() throws {
        var phone = try DeviceScenario()
        try phone.patch(DevicePatch(isInLowPower: true))
        let held = try phone.alert(priority: "5")
        let urgent = try phone.alert()
        #expect(urgent.events.map(\.delivery.sequence) == [urgent.sequence, held.sequence])
        #expect(phone.stages(held) == [.throttled, .delivered])
        let silent = try phone.silent()
        try phone.alert()
        #expect(phone.stages(silent) == [.throttled])
    }

    @Test func `a newer one of the same collapse id takes the place of one that is held`() throws {
        var phone = try DeviceScenario()
        try phone.patch(DevicePatch(isInLowPower: true))
        let held = try phone.alert(priority: "5", collapseID: "acct-001")
        let urgent = try phone.alert(collapseID: "acct-001")
        #expect(phone.stages(held) == [.throttled, .replaced])
        #expect(phone.why(held).contains("same collapse id"))
        #expect(phone.stages(urgent) == [.delivered])
    }

    @Test func `the group is a setting`() throws {
        var phone = try DeviceScenario()
        phone.running.world.settings.powerGroup = 60_000
        try phone.patch(DevicePatch(isInLowPower: true))
        try phone.alert(priority: "5")
        #expect(phone.running.world.nextChange == (phone.now / 60_000 + 1) * 60_000)
    }
}
