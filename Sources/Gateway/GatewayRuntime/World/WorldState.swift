import GatewayCore
import GatewayJSON

/// What the lock of a live world protects: the world, its subscribers, the clients that wait, and what waits for the store.
///
/// It decides which events are published, and to which subscribers. Events are published in the order of the decisions
/// that caused them. Where there is a store, an event waits in the outbox until its decision is stored.
struct WorldState {
    var world: World
    var subscribers = Subscribers()
    var waiters = ExpectationWaiters()
    /// Nil where there is no store, or the world is removed from it.
    var outbox: Outbox?
    /// Nil where nothing is recorded.
    let recorder: WorldRecorder?
    /// What counts the memory of what waits for subscribers; nil where it is not limited.
    private let queued: QueuedMemory?
    /// The memory of the world as the gateway has counted it.
    private(set) var countedBytes: Int
    /// Whether due times are reported at all.
    var reportsDue = true
    /// The world's time that was last reported as due; `Int64.max` for none.
    private var reportedDue = Int64.max
    private var actions: [@Sendable () -> Void] = []

    /// What has to be done after the lock is released.
    struct Effects: Sendable {
        /// Such as closing the connection of a subscriber.
        let actions: [@Sendable () -> Void]
        /// In how many milliseconds something is due; nil if that was reported before.
        let due: Int64?
        /// Whether the store has to be asked to write.
        let mustStore: Bool
        /// How much more memory the world holds than before, in bytes.
        let heldBytes: Int
    }

    init(
        world: consuming World, outbox: Outbox?, recorder: WorldRecorder?, queued: QueuedMemory? = nil,
        countedBytes: Int = 0
    ) {
        self.queued = queued
        self.countedBytes = countedBytes
        self.world = world
        self.outbox = outbox
        self.recorder = recorder
    }

    mutating func takeEffects(_ real: Int64) -> Effects {
        let mustStore = outbox?.schedule() ?? false
        let due = takeDue(real)
        let total = world.held.total
        let change = total - countedBytes
        countedBytes = total
        guard !actions.isEmpty else {
            return Effects(actions: [], due: due, mustStore: mustStore, heldBytes: change)
        }
        defer { actions = [] }
        return Effects(actions: actions, due: due, mustStore: mustStore, heldBytes: change)
    }

    /// Has something done after the lock is released.
    mutating func afterUnlock(_ action: @escaping @Sendable () -> Void) { actions.append(action) }

    // MARK: Due times

    /// The clock or what is due has changed in a way that makes the last report wrong.
    mutating func forgetReportedDue() { reportedDue = .max }

    /// A manual clock passes no time by itself, and while the store fails due events wait for it.
    private mutating func takeDue(_ real: Int64) -> Int64? {
        let next = world.nextChange
        guard next < reportedDue, reportsDue, world.clock.mode == .real, outbox?.failure == nil else { return nil }
        reportedDue = next
        let now = world.now(real: real)
        return next > now ? next - now : 0
    }

    // MARK: Judging

    mutating func judge(
        _ request: CompleteRequest, on connection: inout GatewayConnection, _ real: Int64
    ) -> Judgement {
        guard outbox?.failure == nil else {
            outbox?.countRefusals()
            return world.refuseUnstored(request, on: connection)
        }
        outbox?.countRequest()
        let judgement = world.judge(request, on: &connection, real: real, reportsAll: needsLife)
        if needsVerdicts, let entry = world.notification(judgement.sequence) { publishVerdict(entry, real) }
        publishLife(judgement.events, real)
        return judgement
    }

    // MARK: Publishing

    /// Whether a client needs more of a notification's life than its deliveries.
    private var needsLife: Bool { waiters.needsLife || subscribers.needsEvents }

    /// Whether the recorder or a client needs each verdict.
    private var needsVerdicts: Bool { recorder != nil || subscribers.needsEvents || !waiters.isEmpty }

    private mutating func publishVerdict(_ entry: JournalEntry, _ real: Int64) {
        if recorder != nil { enqueue(.record(entry), real) }
        publish(.judged(entry), real)
        if !waiters.isEmpty { enqueue(.newEntry(entry), real) }
    }

    /// Publishes what happened to notifications.
    mutating func publishLife(_ events: [DeliveryEvent], _ real: Int64) {
        guard !events.isEmpty else { return }
        guard needsLife else {
            guard subscribers.hasDeviceSubscribers else { return }
            for index in events.indices where events[index].stage == .delivered {
                enqueue(.delivery(events[index].delivery), real)
            }
            return
        }
        for event in events {
            if waiters.needsLife { enqueue(.changedEntry(event.delivery.sequence), real) }
            publish(.life(event), real)
            guard event.stage == .delivered, subscribers.hasDeviceSubscribers else { continue }
            enqueue(.delivery(event.delivery), real)
        }
    }

    mutating func publish(_ event: @autoclosure () -> GatewayEvent, _ real: Int64) {
        guard subscribers.needsEvents else { return }
        enqueue(.event(event()), real)
    }

    /// Publishes a change of a device and what it did to notifications.
    mutating func publish(
        _ change: GatewayEvent.DeviceChange, _ result: (device: Device, events: [DeliveryEvent])?, _ real: Int64
    ) -> Device? {
        guard let (device, events) = result else { return nil }
        publish(.device(change, device.withoutHistory), real)
        publishLife(events, real)
        return device
    }

    /// Publishes which fault rules have ended by themselves.
    mutating func publishEndedFaults(_ real: Int64) {
        guard world.hasEndedFaults else { return }
        for fault in world.takeEndedFaults() { publish(.fault(.ended, fault), real) }
    }

    private mutating func enqueue(_ item: Outbox.Item, _ real: Int64) {
        let publication = Outbox.Publication(
            item: item, lastSubscriber: subscribers.lastID, lastWaiter: waiters.lastID)
        if outbox != nil { outbox?.add(publication) } else { deliver(publication, real) }
    }

    /// Passes a publication to those that it is for. Where there is a store, the decision behind it is stored.
    mutating func deliver(_ publication: Outbox.Publication, _ real: Int64) {
        switch publication.item {
        case .delivery(let delivery):
            cutOff(subscribers.deliver(delivery, upTo: publication.lastSubscriber, in: queued), real)
        case .event(let event):
            cutOff(subscribers.deliver(event, upTo: publication.lastSubscriber, in: queued), real)
        case .record(let entry): recorder?.add(entry)
        case .newEntry(let entry):
            actions += waiters.added(
                entry, oldest: world.journalSequences.lowerBound, upTo: publication.lastWaiter)
        case .changedEntry(let sequence):
            guard let entry = world.notification(sequence) else { return }
            actions += waiters.changed(
                entry, oldest: world.journalSequences.lowerBound, upTo: publication.lastWaiter)
        }
    }

    // MARK: Subscribers

    /// Disconnects subscribers that have fallen too far behind.
    private mutating func cutOff(_ ids: [UInt64], _ real: Int64) {
        for id in ids {
            if let disconnect = subscribers.disconnect(id) { afterUnlock(disconnect) }
            removeSubscriber(id, real)
        }
    }

    mutating func removeSubscriber(_ id: UInt64, _ real: Int64) {
        guard let (token, environment) = subscribers.remove(id) else { return }
        world.unsubscribe(token, in: environment, real: real)
    }

    /// Ends the subscriptions of all devices and closes their connections, so that the clients resume and get what they
    /// have missed.
    mutating func disconnectDevices() { actions += subscribers.endDevices() }

    /// Ends all subscriptions and all waiting, for good.
    mutating func endSubscriptions() {
        subscribers.close()
        actions += waiters.close()
    }

    // MARK: Waiting

    mutating func stopWaiting(_ id: UInt64) {
        if let settle = waiters.settle(id) { afterUnlock(settle) }
    }

    mutating func endPatience(_ id: UInt64) {
        if let settle = waiters.endPatience(id) { afterUnlock(settle) }
    }

    /// The journal was emptied.
    mutating func journalChanged() { waiters.reevaluate(world) }

    /// Has `stored` called when everything decided so far is stored or could not be. It is called after this change.
    mutating func whenStored(_ stored: @escaping @Sendable (_ isStored: Bool) -> Void) {
        if outbox?.whenStored(stored) != true { afterUnlock { stored(true) } }
    }
}
