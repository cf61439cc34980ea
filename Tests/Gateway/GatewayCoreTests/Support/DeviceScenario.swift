import APNSModel
import Testing

@testable import GatewayCore

/// One device of a world on a manual clock, and a sender with a provider token that never gets old.
struct DeviceScenario {
    var running: Running
    let token: DeviceToken
    let kind: DeviceKind

    init(
        _ kind: DeviceKind = .app, isConnected: Bool = true, budgets: DeliveryBudgets = .documented, seed: UInt64 = 0,
        contested: ContestedSettings = ContestedSettings()
    ) throws {
        self.kind = kind
        let scenario = Scenario().with {
            $0.devices[0].kind = kind
            $0.settings.budgets = budgets
            $0.settings.seed = seed
            $0.settings.contested = contested
        }
        running = try scenario.run()
        token = try scenario.deviceToken
        if isConnected { try connect() }
    }

    var now: Int64 { running.now }

    var device: Device {
        get throws { try #require(running.world.device(token, in: .sandbox)) }
    }

    @discardableResult
    mutating func connect(after id: String? = nil) throws -> [DeliveryEvent] {
        let subscription = running.world.subscribe(token, in: .sandbox, after: id, real: 0)
        return try #require(subscription).events
    }

    mutating func disconnect() { running.world.unsubscribe(token, in: .sandbox, real: 0) }

    @discardableResult
    mutating func patch(_ patch: DevicePatch) throws -> [DeliveryEvent] {
        let patched = running.world.patch(token, in: .sandbox, patch, real: 0)
        return try #require(patched).events
    }

    @discardableResult
    mutating func advance(_ duration: Duration) -> [DeliveryEvent] {
        let (seconds, attoseconds) = duration.components
        return running.world.advanceClock(by: seconds * 1000 + attoseconds / 1_000_000_000_000_000, real: 0)
    }

    /// A silent push.
    @discardableResult
    mutating func silent(
        priority: String = "5", expires seconds: Int64? = nil, collapseID: String? = nil
    ) throws -> Judgement {
        try send(
            "background", #"{"aps":{"content-available":1}}"#, priority: priority, expires: seconds,
            collapseID: collapseID)
    }

    @discardableResult
    mutating func alert(
        priority: String = "10", expires seconds: Int64? = nil, collapseID: String? = nil
    ) throws -> Judgement {
        try send("alert", #"{"aps":{"alert":"Hi"}}"#, priority: priority, expires: seconds, collapseID: collapseID)
    }

    /// - Parameter seconds: From now; 0 is the `apns-expiration` 0, and nil none.
    @discardableResult
    mutating func send(
        _ pushType: String?, _ payload: String, priority: String = "10", expires seconds: Int64? = nil,
        collapseID: String? = nil
    ) throws -> Judgement {
        // A provider token is replaced after half an hour, and no sooner than the gateway likes.
        let elapsed = (now - Scenario.start) / 1000 / 1800 * 1800
        let scenario = Scenario().with {
            $0.age = -elapsed
            $0.head.topic = Scenario.topic + kind.topicSuffix
            $0.head.pushType = pushType
            $0.head.priority = priority
            $0.head.collapseID = collapseID
            $0.head.expiration = seconds.map { $0 == 0 ? "0" : "\(now / 1000 + $0)" }
            $0.body = Array(payload.utf8)
        }
        let judgement = try running.send(scenario)
        try #require(judgement.verdict.isAccepted, "\(judgement.verdict.why)")
        return judgement
    }

    func life(_ judgement: Judgement) -> [LifeEntry] {
        Array(running.world.notification(judgement.sequence)?.life.dropFirst() ?? [])
    }

    func stages(_ judgement: Judgement) -> [LifeEntry.Stage] { life(judgement).map(\.stage) }

    func why(_ judgement: Judgement) -> String { life(judgement).last?.why ?? "" }

    mutating func stages(_ send: (inout DeviceScenario) throws -> Judgement) rethrows -> [LifeEntry.Stage] {
        let judgement = try send(&self)
        return stages(judgement)
    }

    mutating func why(_ send: (inout DeviceScenario) throws -> Judgement) rethrows -> String {
        let judgement = try send(&self)
        return why(judgement)
    }
}
