import APNSModel
import GatewayConfiguration
import GatewayJSON
import Synchronization
import Testing

@testable import GatewayCore
@testable import GatewayRuntime

struct SubscribersTests {
    private static let environment = APNSEnvironment.sandbox
    private let device: DeviceToken
    private let other: DeviceToken
    private let topic: Topic

    init() throws {
        device = try #require(DeviceToken("ab12"))
        other = try #require(DeviceToken("cd34"))
        topic = try #require(Topic("com.example.agent"))
    }

    private func delivery(_ sequence: UInt64, to token: DeviceToken? = nil) -> Delivery {
        Delivery(
            sequence: sequence, id: UniqueID(1, sequence), apnsID: "\(sequence)", token: token ?? device,
            environment: Self.environment, topic: topic, pushType: .background, priority: .powerConsiderate,
            expiration: nil, collapseID: nil, payload: [])
    }

    /// The sequence numbers of the deliveries of an ended stream.
    private func sequences(_ items: AsyncStream<DeviceSubscription.Item>) async -> [UInt64] {
        var sequences: [UInt64] = []
        for await item in items { if case .delivery(let delivery, _) = item { sequences.append(delivery.sequence) } }
        return sequences
    }

    private func count(_ items: AsyncStream<EventSubscription.Item>) async -> (events: Int, heartbeats: Int) {
        var (events, heartbeats) = (0, 0)
        for await item in items {
            switch item {
            case .event: events += 1
            case .heartbeat: heartbeats += 1
            }
        }
        return (events, heartbeats)
    }

    @Test func `a delivery goes to the subscribers of its device that came before it`() async throws {
        var subscribers = Subscribers()
        let first = try subscribers.addForDevice(device, in: Self.environment) {}
        let elsewhere = try subscribers.addForDevice(other, in: Self.environment) {}
        let production = try subscribers.addForDevice(device, in: .production) {}
        let lost = subscribers.deliver(delivery(1), upTo: subscribers.lastID)
        #expect(lost.isEmpty)
        let last = subscribers.lastID
        let late = try subscribers.addForDevice(device, in: Self.environment) {}
        let lost2 = subscribers.deliver(delivery(2), upTo: last)
        #expect(lost2.isEmpty)
        let lost3 = subscribers.deliver(delivery(3), upTo: subscribers.lastID)
        #expect(lost3.isEmpty)
        subscribers.close()
        #expect(await sequences(first.items) == [1, 2, 3])
        #expect(await sequences(late.items) == [3])
        #expect(await sequences(elsewhere.items).isEmpty)
        #expect(await sequences(production.items).isEmpty)
    }

    @Test func `a subscriber with a full buffer is reported, and no other`() async throws {
        var subscribers = Subscribers()
        let slow = try subscribers.addForDevice(device, in: Self.environment) {}
        for number in 0..<UInt64(SubscriberLimits.capacity) {
            let lost = subscribers.deliver(delivery(number), upTo: .max)
            #expect(lost.isEmpty)
        }
        let fresh = try subscribers.addForDevice(device, in: Self.environment) {}
        let lost2 = subscribers.deliver(delivery(9999), upTo: .max)
        #expect(lost2 == [slow.id])
        let removed = subscribers.remove(slow.id)
        #expect(removed?.token == device)
        let lost3 = subscribers.deliver(delivery(10_000), upTo: .max)
        #expect(lost3.isEmpty)
        subscribers.close()
        #expect(await sequences(slow.items).count == SubscriberLimits.capacity)
        #expect(await sequences(fresh.items) == [9999, 10_000])
    }

    @Test func `a client of events is cut off when it falls behind, a webhook loses events`() async throws {
        var subscribers = Subscribers()
        let lost = Counter()
        let closed = Counter()
        let client = try subscribers.addForEvents { closed.add() }
        let webhook = subscribers.addForEvents(named: nil) { lost.add() }
        for _ in 0..<SubscriberLimits.capacity {
            let lost = subscribers.deliver(.reset, upTo: .max)
            #expect(lost.isEmpty)
        }
        #expect(lost.count == 0)
        let lost2 = subscribers.deliver(.reset, upTo: .max)
        #expect(lost2 == [client.id])
        #expect(lost.count == 1)
        let disconnection = subscribers.disconnect(webhook.id)
        #expect(disconnection == nil)
        let disconnection2 = subscribers.disconnect(client.id)
        let disconnect = try #require(disconnection2)
        disconnect()
        #expect(closed.count == 1)
        subscribers.close()
        #expect(await count(webhook.items).events == SubscriberLimits.capacity)
    }

    @Test func `a webhook gets the events that it names, and no heartbeat`() async throws {
        var subscribers = Subscribers()
        let webhook = subscribers.addForEvents(named: ["reset"]) {}
        let client = try subscribers.addForEvents {}
        _ = subscribers.deliver(.journalEmptied, upTo: .max)
        _ = subscribers.deliver(.reset, upTo: .max)
        subscribers.sendHeartbeats()
        subscribers.close()
        #expect(await count(webhook.items) == (1, 0))
        #expect(await count(client.items) == (2, 1))
    }

    @Test func `a client that resumes gets what it missed, and what was decided before it came`() async throws {
        var subscribers = Subscribers()
        let first = try subscribers.addForEvents(at: 7) {}
        _ = subscribers.deliver(.reset)
        _ = subscribers.remove(first.id)
        _ = subscribers.deliver(.journalEmptied)
        #expect(subscribers.needsEvents && !subscribers.hasEventSubscribers)
        let resumed = try subscribers.addForEvents(after: "7-1", at: 9) {}
        #expect(resumed.missed?.map(\.event.name) == ["journal-emptied"])
        let late = try subscribers.addForEvents(at: 9) {}
        #expect(late.missed?.isEmpty == true)
        // An event that waited for the store while they subscribed.
        _ = subscribers.deliver(.reset, upTo: first.id)
        for id in ["7-9", "8-1", "x"] {
            let lost = try subscribers.addForEvents(after: id, at: 9) {}
            #expect(lost.missed == nil, "\(id)")
        }
        subscribers.close()
        #expect(await count(resumed.items).events == 1)
        #expect(await count(late.items).events == 0)
    }

    @Test func `the new device token is the last item of the old one`() async throws {
        var subscribers = Subscribers()
        let (id, items) = try subscribers.addForDevice(device, in: Self.environment) {}
        subscribers.move(device, in: Self.environment, to: other)
        let lost = subscribers.deliver(delivery(1), upTo: .max)
        #expect(lost.isEmpty)
        var moved: [DeviceToken] = []
        for await item in items { if case .moved(let token) = item { moved.append(token) } }
        #expect(moved == [other])
        let removed = subscribers.remove(id)
        #expect(removed?.token == device, "it counts until its connection is closed")
    }

    @Test func `removing ends the stream, and a second time does nothing`() async throws {
        var subscribers = Subscribers()
        let (id, items) = try subscribers.addForDevice(device, in: Self.environment) {}
        let events = try subscribers.addForEvents {}
        #expect(subscribers.count == 2 && subscribers.hasDeviceSubscribers && subscribers.hasEventSubscribers)
        let removed = subscribers.remove(id)
        #expect(removed?.environment == Self.environment)
        let removed2 = subscribers.remove(id)
        #expect(removed2 == nil)
        let removed3 = subscribers.remove(events.id)
        #expect(removed3 == nil, "it has no device")
        #expect(subscribers.count == 0 && !subscribers.hasDeviceSubscribers && !subscribers.hasEventSubscribers)
        #expect(await sequences(items).isEmpty)
        #expect(await count(events.items) == (0, 0))
    }

    @Test func `there are no more clients than allowed, and a webhook has a place anyway`() throws {
        var subscribers = Subscribers()
        for number in 0..<SubscriberLimits.maximumSubscribers {
            if number.isMultiple(of: 2) {
                _ = try subscribers.addForDevice(device, in: Self.environment) {}
            } else {
                _ = try subscribers.addForEvents {}
            }
        }
        #expect(throws: SubscriptionError.tooMany) { try subscribers.checkCapacity() }
        #expect(throws: SubscriptionError.tooMany) { try subscribers.addForEvents {} }
        #expect(throws: SubscriptionError.tooMany) {
            try subscribers.addForDevice(device, in: Self.environment) {}
        }
        _ = subscribers.addForEvents(named: nil) {}
        #expect(subscribers.count == SubscriberLimits.maximumSubscribers + 1)
    }

    @Test func `ending the subscriptions of devices closes their connections and leaves those to events`() async throws
    {
        var subscribers = Subscribers()
        let closed = Counter()
        let device = try subscribers.addForDevice(device, in: Self.environment) { closed.add() }
        _ = try subscribers.addForEvents { closed.add() }
        for disconnect in subscribers.endDevices() { disconnect() }
        #expect(closed.count == 1)
        #expect(await sequences(device.items).isEmpty)
        #expect(subscribers.count == 1 && subscribers.hasEventSubscribers)
    }

    @Test func `nobody subscribes after the end`() async throws {
        var subscribers = Subscribers()
        subscribers.close()
        #expect(throws: SubscriptionError.tooMany) { try subscribers.addForEvents {} }
        #expect(throws: SubscriptionError.tooMany) {
            try subscribers.addForDevice(device, in: Self.environment) {}
        }
        let webhook = subscribers.addForEvents(named: nil) {}
        #expect(await count(webhook.items) == (0, 0))
        #expect(subscribers.count == 0)
    }
}
