import APNSModel
import Testing

@testable import GatewayCore

/// Background pushes: docs/reference/apns.md 6.7.
struct SilentPushTests {
    @Test func `three silent pushes an hour reach the app, and the newest of the others waits`() throws {
        var phone = try DeviceScenario()
        for _ in 0..<3 { #expect(try phone.stages { try $0.silent() } == [.delivered]) }
        let fourth = try phone.silent()
        #expect(phone.stages(fourth) == [.throttled])
        #expect(phone.why(fourth).contains("the 3 silent pushes of 60 minutes are used up"))
        let fifth = try phone.silent()
        #expect(phone.stages(fourth) == [.throttled, .replaced])
        #expect(phone.why(fourth).contains(try #require(fifth.verdict.uniqueID)))
        #expect(phone.running.world.nextChange == Scenario.start + 3_600_000)
        #expect(phone.advance(.seconds(3599)).isEmpty)
        #expect(phone.advance(.seconds(1)).map(\.delivery.sequence) == [fifth.sequence])
        #expect(phone.life(fifth).map(\.stage) == [.throttled, .delivered])
        #expect(phone.life(fifth).last?.at == Scenario.start + 3_600_000)
    }

    @Test func `the hour slides with the deliveries`() throws {
        var phone = try DeviceScenario()
        try phone.silent()
        phone.advance(.seconds(1800))
        try phone.silent()
        try phone.silent()
        let held = try phone.silent()
        phone.advance(.seconds(1800))
        #expect(phone.stages(held) == [.throttled, .delivered], "the first is an hour ago")
        #expect(try phone.stages { try $0.silent() } == [.throttled], "two and the held one are not")
    }

    @Test func `an alert is not counted, and neither is a silent push to an app in the foreground`() throws {
        var phone = try DeviceScenario()
        for _ in 0..<10 { #expect(try phone.stages { try $0.alert() } == [.delivered]) }
        try phone.patch(DevicePatch(appState: .foreground))
        for _ in 0..<10 { #expect(try phone.stages { try $0.silent() } == [.delivered]) }
        try phone.patch(DevicePatch(appState: .suspended))
        #expect(try phone.stages { try $0.silent() } == [.delivered])
        #expect(try phone.device.budgetUse.times.count == 1)
    }

    @Test(arguments: [Device.BudgetChoice.lifted, .own(DeliveryBudget(count: 5, period: 60_000)!)])
    func `a device can have its own budget, or none`(choice: Device.BudgetChoice) throws {
        var phone = try DeviceScenario()
        try phone.patch(DevicePatch(budget: choice))
        let stages = try (0..<6).map { _ in try phone.stages { try $0.silent() } }
        #expect(stages.last == (choice == .lifted ? [.delivered] : [.throttled]))
        #expect(stages.dropLast().allSatisfy { $0 == [.delivered] })
    }

    @Test func `lifting the budget lets go what is held`() throws {
        var phone = try DeviceScenario()
        for _ in 0..<3 { try phone.silent() }
        let held = try phone.silent()
        #expect(try phone.patch(DevicePatch(budget: .lifted)).map(\.delivery.sequence) == [held.sequence])
    }

    @Test func `a clock that is set back frees what was counted later`() throws {
        var phone = try DeviceScenario()
        for _ in 0..<3 { try phone.silent() }
        let held = try phone.silent()
        _ = phone.running.world.setClock(.manual, to: Scenario.start - 60_000, real: 0)
        #expect(phone.stages(held) == [.throttled, .delivered])
    }

    @Test func `what is held for the budget goes when the app is opened`() throws {
        var phone = try DeviceScenario()
        for _ in 0..<3 { try phone.silent() }
        let held = try phone.silent()
        try phone.patch(DevicePatch(appState: .foreground))
        #expect(phone.stages(held) == [.throttled, .delivered])
    }

    @Test(arguments: [
        (DevicePatch(isInLowPower: true), DevicePatch(isInLowPower: false), Hold.Cause.lowPower),
        (DevicePatch(allowsBackgroundRefresh: false), DevicePatch(allowsBackgroundRefresh: true), .backgroundRefresh),
        (DevicePatch(appState: .forceQuit), DevicePatch(appState: .foreground), .forceQuit),
        (DevicePatch(isInLowPower: true), DevicePatch(appState: .foreground), .lowPower),
        (DevicePatch(isInLowData: true), DevicePatch(isInLowData: false), .lowData),
        (DevicePatch(isInLowData: true), DevicePatch(appState: .foreground), .lowData),
        (DevicePatch(allowsBackgroundRefresh: false), DevicePatch(appState: .foreground), .backgroundRefresh),
    ])
    func `a state that forbids silent pushes holds the newest until it ends`(
        start: DevicePatch, end: DevicePatch, cause: Hold.Cause
    ) throws {
        var phone = try DeviceScenario()
        try phone.patch(start)
        let older = try phone.silent()
        let newer = try phone.silent()
        #expect(phone.stages(older) == [.throttled, .replaced])
        #expect(try phone.device.waiting.map(\.hold?.cause) == [cause])
        #expect(try phone.stages { try $0.alert() } == [.delivered], "what the user sees is not held")
        phone.advance(.seconds(86_400))
        #expect(try phone.device.waitingCount == 1)
        #expect(try phone.patch(end).map(\.delivery.sequence) == [newer.sequence])
        #expect(phone.stages(newer) == [.throttled, .delivered])
    }

    @Test(arguments: [
        (Device.AppState.background, "the device is connected"), (.suspended, "the app is woken"),
        (.terminated, "the app is launched in the background"), (.foreground, "the app is in the foreground"),
    ])
    func `an app that was not force-quit is woken or launched`(state: Device.AppState, why: String) throws {
        var phone = try DeviceScenario()
        try phone.patch(DevicePatch(appState: state))
        let silent = try phone.silent()
        #expect(phone.stages(silent) == [.delivered])
        #expect(phone.why(silent).hasSuffix(why))
    }

    @Test func `a force-quit drops what was held, and not what is still on its way`() throws {
        var phone = try DeviceScenario()
        try phone.patch(DevicePatch(isInLowPower: true))
        let held = try phone.silent()
        try phone.patch(DevicePatch(appState: .forceQuit))
        #expect(phone.stages(held) == [.throttled, .dropped])
        #expect(phone.why(held).contains("force-quit"))

        try phone.patch(DevicePatch(isOnline: false, isInLowPower: false, appState: .background))
        let stored = try phone.silent()
        try phone.patch(DevicePatch(appState: .forceQuit))
        try phone.patch(DevicePatch(isOnline: true))
        #expect(phone.stages(stored) == [.stored, .throttled])
        try phone.patch(DevicePatch(appState: .foreground))
        #expect(phone.stages(stored) == [.stored, .throttled, .delivered])
    }

    @Test func `a held push expires while it is held`() throws {
        var phone = try DeviceScenario()
        try phone.patch(DevicePatch(allowsBackgroundRefresh: false))
        let held = try phone.silent(expires: 60)
        phone.advance(.seconds(300))
        #expect(phone.stages(held) == [.throttled, .expired])
        #expect(phone.life(held).last?.at == Scenario.start + 60_000, "at its own time, not at that of the clock")
        #expect(phone.why(held).contains("background-refresh"))
    }

    @Test func `one that asks for one attempt is not held`() throws {
        var phone = try DeviceScenario()
        try phone.patch(DevicePatch(allowsBackgroundRefresh: false))
        let once = try phone.silent(expires: 0)
        #expect(phone.stages(once) == [.dropped])
        #expect(phone.why(once).contains("apns-expiration 0 asks for one attempt, and background refresh is off"))
    }

    @Test func `a held push that the device leaves behind is stored, and the newest of all is delivered`() throws {
        var phone = try DeviceScenario()
        try phone.patch(DevicePatch(allowsBackgroundRefresh: false))
        let held = try phone.silent()
        try phone.patch(DevicePatch(isOnline: false))
        let alert = try phone.alert()
        #expect(phone.stages(held) == [.throttled, .replaced])
        #expect(try phone.patch(DevicePatch(isOnline: true)).map(\.delivery.sequence) == [alert.sequence])
    }

    @Test func `without a push type the payload says what is silent`() throws {
        var phone = try DeviceScenario()
        try phone.patch(DevicePatch(allowsBackgroundRefresh: false))
        func stages(_ payload: String) throws -> [LifeEntry.Stage] {
            try phone.stages { try $0.send(nil, payload, priority: "5") }
        }
        #expect(try stages(#"{"aps":{"content-available":1},"id":7}"#) == [.throttled])
        #expect(try stages(#"{"aps":{"content-available":1,"alert":"Hi"}}"#) == [.delivered])
        #expect(try stages(#"{"aps":{"content-available":1,"badge":0}}"#) == [.delivered])
        #expect(try stages(#"{"aps":{"content-available":0}}"#) == [.delivered])
        #expect(try stages(#"{"x":1}"#) == [.delivered])
    }

    @Test func `a user who allows no notifications gets silent pushes alone`() throws {
        var phone = try DeviceScenario()
        try phone.patch(DevicePatch(allowsNotifications: false))
        let alert = try phone.alert()
        #expect(phone.stages(alert) == [.dropped])
        #expect(phone.why(alert) == "the user does not allow the app to show notifications")
        #expect(try phone.stages { try $0.silent() } == [.delivered])
    }
}
