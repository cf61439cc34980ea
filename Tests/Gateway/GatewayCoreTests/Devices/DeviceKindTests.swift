import APNSModel
import Testing

@testable import GatewayCore

/// Device tokens of every kind: docs/reference/apns.md 6.6, 6.8 and section 8.
struct DeviceKindTests {
    /// What is sent to a kind of device token.
    static func pushType(_ kind: DeviceKind) -> PushType {
        switch kind {
        case .app: .alert
        case .voip: .voip
        case .complication: .complication
        case .fileprovider: .fileprovider
        case .location: .location
        case .pushtotalk: .pushtotalk
        case .liveactivity, .startLiveActivity: .liveactivity
        case .widgets: .widgets
        case .controls: .controls
        }
    }

    private static func activity(_ event: String, _ timestamp: Int64 = 1_800_000_000) -> String {
        #"{"aps":{"timestamp":\#(timestamp),"event":"\#(event)","content-state":{"score":3}}}"#
    }

    static func payload(_ kind: DeviceKind) -> String {
        switch kind {
        case .liveactivity: activity("update")
        case .startLiveActivity: activity("start")
        case .widgets, .controls: #"{"aps":{"content-changed":true}}"#
        default: #"{"aps":{}}"#
        }
    }

    @Test(arguments: DeviceKind.allCases, DeviceKind.allCases)
    func `a device token takes the pushes of its kind and no others`(own: DeviceKind, sent: DeviceKind) throws {
        var scenario = Scenario()
        scenario.devices[0].kind = own
        scenario.head.topic = Scenario.topic + sent.topicSuffix
        scenario.head.pushType = Self.pushType(sent).rawValue
        scenario.head.priority = "10"
        scenario.body = Array(Self.payload(sent).utf8)
        var running = try scenario.run()
        _ = running.world.subscribe(try scenario.deviceToken, in: .sandbox, real: 0)
        let judgement = try running.send(scenario)
        if own == sent {
            #expect(judgement.events.map(\.stage) == [.delivered])
        } else if own.topicSuffix == sent.topicSuffix {
            #expect(judgement.events.map(\.stage) == [.dropped], "accepted, and the system does nothing with it")
        } else {
            #expect(judgement.verdict.reason == .deviceTokenNotForTopic)
        }
    }

    @Test func `the pushes that a kind is given in a day are counted, and more are dropped`() throws {
        for (kind, count) in [(DeviceKind.complication, 50), (.location, 360)] {
            var phone = try DeviceScenario(kind)
            let type = Self.pushType(kind).rawValue
            for _ in 0..<count {
                #expect(try phone.stages { try $0.send(type, Self.payload(kind)) } == [.delivered])
            }
            let more = try phone.send(type, Self.payload(kind))
            #expect(phone.stages(more) == [.dropped])
            #expect(phone.why(more).contains("the \(count) pushes of 24 hours are used up"))
            phone.advance(.seconds(86_400))
            #expect(try phone.stages { try $0.send(type, Self.payload(kind)) } == [.delivered])
        }
    }

    @Test(arguments: [DeviceKind.widgets, .controls, .liveactivity])
    func `the others have no limit until one is set, which holds the newest`(kind: DeviceKind) throws {
        var budgets = DeliveryBudgets()
        let budget = DeliveryBudget(count: 2, period: 3_600_000)
        (budgets.widgets, budgets.controls, budgets.liveActivity) = (budget, budget, budget)
        for (budgets, stage) in [(DeliveryBudgets.documented, LifeEntry.Stage.delivered), (budgets, .throttled)] {
            var phone = try DeviceScenario(kind, budgets: budgets)
            let type = Self.pushType(kind).rawValue
            for _ in 0..<2 { try phone.send(type, Self.payload(kind)) }
            let third = try phone.send(type, Self.payload(kind))
            #expect(phone.stages(third) == [stage])
            phone.advance(.seconds(3600))
            #expect(phone.stages(third).last == .delivered)
        }
    }

    @Test func `updates of a Live Activity with priority 5 are not counted`() throws {
        var budgets = DeliveryBudgets()
        budgets.liveActivity = DeliveryBudget(count: 1, period: 3_600_000)
        var phone = try DeviceScenario(.liveactivity, budgets: budgets)
        #expect(try phone.stages { try $0.send("liveactivity", Self.activity("update")) } == [.delivered])
        let update = Self.activity("update")
        #expect(try phone.stages { try $0.send("liveactivity", update, priority: "5") } == [.delivered])
        #expect(try phone.stages { try $0.send("liveactivity", Self.activity("update")) } == [.throttled])
    }

    @Test(arguments: [
        (#"{"aps":{"alert":"x"}}"#, "no aps.event"), ("nothing", "no aps.event"),
        (#"{"aps":{"event":"update"}}"#, "no aps.timestamp"), (activity("start"), "start-liveactivity"),
        (activity("update", 1_799_999_999), "older than 1800000000"),
    ])
    func `what the system ignores of a Live Activity is dropped, with what to do`(payload: String, why: String) throws {
        var phone = try DeviceScenario(.liveactivity)
        try phone.send("liveactivity", Self.activity("update"))
        let ignored = try phone.send("liveactivity", payload)
        #expect(phone.stages(ignored) == [.dropped])
        #expect(phone.why(ignored).contains(why))
    }

    @Test func `a Live Activity takes nothing after its end, and lives 8 hours at the longest`() throws {
        var phone = try DeviceScenario(.liveactivity)
        #expect(try phone.stages { try $0.send("liveactivity", Self.activity("end")) } == [.delivered])
        #expect(try phone.device.activity.endedAt == Scenario.start)
        let late = try phone.send("liveactivity", Self.activity("update"))
        #expect(phone.why(late).contains("ended"))

        phone = try DeviceScenario(.liveactivity)
        phone.advance(.seconds(8 * 3600 - 1))
        #expect(try phone.stages { try $0.send("liveactivity", Self.activity("update")) } == [.delivered])
        phone.advance(.seconds(1))
        #expect(try phone.why { try $0.send("liveactivity", Self.activity("update")) }.contains("older than 8 hours"))
    }

    @Test func `a push-to-start device token starts one activity after the other`() throws {
        var phone = try DeviceScenario(.startLiveActivity)
        for _ in 0..<3 {
            #expect(try phone.stages { try $0.send("liveactivity", Self.activity("start")) } == [.delivered])
        }
        #expect(try phone.why { try $0.send("liveactivity", Self.activity("end")) }.contains("the event is \"end\""))
    }

    @Test func `a device token that is registered by use is of the kind that its first push is for`() throws {
        for (event, kind) in [("start", DeviceKind.startLiveActivity), ("update", .liveactivity)] {
            var scenario = Scenario()
            scenario.settings.unknownDevices = .open
            scenario.head.path = "/3/device/cafe"
            scenario.head.topic = Scenario.topic + ".push-type.liveactivity"
            scenario.head.pushType = "liveactivity"
            scenario.body = Array(Self.activity(event).utf8)
            var running = try scenario.run()
            try running.send(scenario)
            let token = try #require(DeviceToken("cafe"))
            #expect(running.world.device(token, in: .sandbox)?.kind == kind)
        }
    }
}
