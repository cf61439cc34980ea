import APNSModel
import Testing

@testable import GatewayCore

struct DeliveryTests {
    var running: Running
    let token: DeviceToken

    init() throws {
        running = try Scenario().run()
        token = try Scenario().deviceToken
    }

    mutating func send(_ change: (inout Scenario) -> Void = { _ in }) throws -> Judgement {
        try running.send(Scenario().with(change))
    }

    mutating func subscribe(after id: String? = nil) throws -> (resumption: Resumption, events: [DeliveryEvent]) {
        let subscription = running.world.subscribe(token, in: .sandbox, after: id, real: 0)
        return try #require(subscription)
    }

    mutating func unsubscribe() { running.world.unsubscribe(token, in: .sandbox, real: 0) }

    mutating func setOnline(_ isOnline: Bool) throws -> [DeliveryEvent] {
        let patched = running.world.patch(token, in: .sandbox, DevicePatch(isOnline: isOnline), real: 0)
        return try #require(patched).events
    }

    func life(_ judgement: Judgement) -> [LifeEntry.Stage] {
        running.world.notification(judgement.sequence)?.life.map(\.stage) ?? []
    }

    @Test mutating func `a connected device gets its notification at once, with all that the app sees`() throws {
        _ = try subscribe()
        let judgement = try send { $0.head.collapseID = "acct-001" }
        #expect(judgement.events.map(\.stage) == [.delivered])
        let delivery = try #require(judgement.events.first?.delivery)
        #expect(delivery.uniqueID == judgement.verdict.uniqueID)
        #expect(delivery.apnsID == judgement.verdict.apnsID)
        #expect(delivery.payload == Scenario().body)
        #expect(delivery.collapseID?.value == "acct-001")
        #expect(delivery.pushType == .background)
        #expect(delivery.priority == .powerConsiderate)
        #expect(life(judgement) == [.accepted, .delivered])
    }

    @Test mutating func `without listeners only deliveries are reported, and lives are complete`() throws {
        let stored = try running.send(Scenario(), reportsAll: false)
        let replacing = try running.send(Scenario(), reportsAll: false)
        #expect(stored.events.isEmpty && replacing.events.isEmpty)
        #expect(life(stored) == [.accepted, .stored, .replaced])
        _ = try subscribe()
        let delivered = try running.send(Scenario(), reportsAll: false)
        #expect(delivered.events.map(\.stage) == [.delivered])
        #expect(life(delivered) == [.accepted, .delivered])
    }

    @Test mutating func `for a device that is away the newest is stored and delivered when it connects`() throws {
        let first = try send()
        let second = try send()
        #expect(first.events.map(\.stage) == [.stored])
        #expect(second.events.map(\.stage) == [.replaced, .stored])
        let uniqueID = try #require(second.verdict.uniqueID)
        #expect(running.world.notification(first.sequence)?.life.last?.why.contains(uniqueID) == true)
        let events = try subscribe().events
        #expect(events.map(\.stage) == [.delivered])
        #expect(events.first?.delivery.sequence == second.sequence)
        #expect(life(first) == [.accepted, .stored, .replaced])
        #expect(life(second) == [.accepted, .stored, .delivered])
        #expect(try subscribe().events.isEmpty, "once")
    }

    @Test mutating func `an offline device with a listener gets the newest when it is back online`() throws {
        _ = try subscribe()
        _ = try setOnline(false)
        _ = try send()
        let newest = try send()
        #expect(newest.events.map(\.stage) == [.replaced, .stored])
        #expect(try setOnline(true).map(\.delivery.sequence) == [newest.sequence])
        #expect(try send().events.map(\.stage) == [.delivered])
    }

    @Test mutating func `one that asks for one attempt is dropped when the device is away, and replaces nothing`()
        throws
    {
        let stored = try send()
        let once = try send { $0.head.expiration = "0" }
        #expect(once.events.map(\.stage) == [.dropped])
        let single = "apns-expiration 0 asks for one attempt, and the device was not connected"
        #expect(once.events.first?.life.why == single)
        let past = try send { $0.head.expiration = "1" }
        #expect(past.events.map(\.stage) == [.dropped])
        let lapsed = "apns-expiration is in the past, which allows one attempt, and the device was not connected"
        #expect(past.events.first?.life.why == lapsed)
        #expect(try subscribe().events.map(\.delivery.sequence) == [stored.sequence])
        #expect(try send { $0.head.expiration = "0" }.events.map(\.stage) == [.delivered])
    }

    @Test(arguments: [(59, LifeEntry.Stage.delivered), (60, .expired)] as [(Int64, LifeEntry.Stage)])
    mutating func `what is stored expires when its time is reached`(seconds: Int64, stage: LifeEntry.Stage) throws {
        let judgement = try send { $0.head.expiration = String(Scenario.start / 1000 + 60) }
        let expired = running.advance(seconds: seconds)
        #expect(expired.map(\.stage) == (stage == .expired ? [.expired] : []))
        _ = try subscribe()
        #expect(life(judgement) == [.accepted, .stored, stage])
    }

    @Test(arguments: [nil, "99999999999", String(Int64.max)])
    mutating func `nothing is stored for more than 30 days`(expiration: String?) throws {
        let judgement = try send { $0.head.expiration = expiration }
        #expect(running.world.nextExpiry == Scenario.start + 30 * 86_400_000)
        #expect(running.advance(seconds: 30 * 86_400 - 1).isEmpty)
        #expect(running.advance(seconds: 1).map(\.delivery.sequence) == [judgement.sequence])
        #expect(running.world.nextExpiry == .max)
    }

    @Test mutating func `an uninstall drops what is stored`() throws {
        let judgement = try send()
        let events = running.world.uninstall(token, in: .sandbox, real: 0)?.events
        #expect(events?.map(\.stage) == [.dropped])
        #expect(life(judgement) == [.accepted, .stored, .dropped])
    }

    @Test mutating func `an interrupted connection resumes without loss and in order`() throws {
        _ = try subscribe()
        var sent = [try send(), try send(), try send()]
        unsubscribe()
        sent += [try send(), try send()]
        #expect(life(sent[3]) == [.accepted, .stored], "not replaced, because the device may resume")
        let (resumption, events) = try subscribe(after: sent[0].verdict.uniqueID)
        #expect(resumption.isComplete)
        #expect(resumption.deliveries.map(\.sequence) == [sent[1].sequence, sent[2].sequence])
        #expect(events.map(\.stage) == [.delivered, .delivered])
        #expect(events.map(\.delivery.sequence) == [sent[3].sequence, sent[4].sequence])
    }

    @Test mutating func `a device that starts afresh gets the newest of what waited`() throws {
        _ = try subscribe()
        unsubscribe()
        let sent = [try send(), try send(), try send()]
        let (resumption, events) = try subscribe()
        #expect(resumption.deliveries.isEmpty)
        #expect(events.map(\.stage) == [.replaced, .replaced, .delivered])
        #expect(events.last?.delivery.sequence == sent[2].sequence)
    }

    @Test mutating func `going offline ends an interruption`() throws {
        _ = try subscribe()
        unsubscribe()
        _ = try send()
        let newest = try send()
        #expect(try setOnline(false).map(\.stage) == [.replaced])
        _ = try setOnline(true)
        #expect(try subscribe(after: "x").events.map(\.delivery.sequence) == [newest.sequence])
    }

    @Test mutating func `an id that the history does not have is said to be lost`() throws {
        running.world.settings.maximumHistory = 2
        _ = try subscribe()
        let sent = try (0..<6).map { _ in try send() }
        let resumption = try #require(
            running.world.deliveries(to: token, in: .sandbox, since: sent[0].verdict.uniqueID))
        #expect(!resumption.isComplete)
        #expect(resumption.deliveries.last?.sequence == sent[5].sequence)
        #expect((2...4).contains(resumption.deliveries.count))
    }

    @Test mutating func `what waits for an interrupted connection is bounded, and the oldest goes first`() throws {
        running.world.settings.maximumWaiting = 2
        _ = try subscribe()
        unsubscribe()
        let sent = try (0..<3).map { _ in try send() }
        #expect(sent[2].events.map(\.stage) == [.dropped, .stored])
        #expect(sent[2].events[0].delivery.sequence == sent[0].sequence)
    }

    @Test mutating func `two listeners count as one device, and the last to leave interrupts it`() throws {
        _ = try subscribe()
        _ = try subscribe()
        #expect(running.world.device(token, in: .sandbox)?.listeners == 2)
        unsubscribe()
        #expect(try send().events.map(\.stage) == [.delivered])
        unsubscribe()
        #expect(running.world.device(token, in: .sandbox)?.connection == .interrupted)
        unsubscribe()
        #expect(running.world.device(token, in: .sandbox)?.listeners == 0, "one too many does no harm")
    }

    @Test mutating func `a replaced notification of the same collapse id says so`() throws {
        let first = try send { $0.head.collapseID = "a" }
        _ = try send { $0.head.collapseID = "a" }
        #expect(running.world.notification(first.sequence)?.life.last?.why.contains("same collapse id") == true)
    }

    @Test mutating func `an unknown device has no listeners`() throws {
        let unknown = try #require(DeviceToken("00"))
        let subscription = running.world.subscribe(unknown, in: .sandbox, real: 0)
        #expect(subscription == nil)
        #expect(running.world.deliveries(to: unknown, in: .sandbox, since: nil) == nil)
    }
}
