package import GatewayCore
package import GatewayJSON

extension LiveWorld.Shared {
    /// In how many milliseconds something is due, where that is sooner than was said before. A clock that is set by hand
    /// passes no time, and a store that fails has what is due wait.
    package mutating func nextAlarm(_ real: Int64) -> Int64? {
        let next = world.nextChange
        guard next < alarm, world.clock.mode == .real, outbox?.failure == nil else { return nil }
        alarm = next
        let now = world.now(real: real)
        return next > now ? next - now : 0
    }

    /// Tells the listeners what happened to notifications.
    package mutating func publish(_ events: [DeliveryEvent], _ real: Int64) {
        guard !events.isEmpty else { return }
        guard hearsEverything else {
            guard subscribers.hearsDeliveries else { return }
            for index in events.indices where events[index].stage == .delivered {
                send(.delivery(events[index].delivery), real)
            }
            return
        }
        for event in events {
            if looksAtLife { send(.life(event.delivery.sequence), real) }
            tell(.life(event), real)
            guard event.stage == .delivered, subscribers.hearsDeliveries else { continue }
            send(.delivery(event.delivery), real)
        }
    }

    package mutating func tell(_ event: @autoclosure () -> GatewayEvent, _ real: Int64) {
        guard subscribers.hearsEvents else { return }
        send(.event(event()), real)
    }

    /// Whether somebody wants to know of more of a life than that something is delivered.
    package var hearsEverything: Bool { looksAtLife || subscribers.hearsEvents }

    /// Whether somebody wants to know of each request that is judged.
    package var hearsVerdicts: Bool { recorder != nil || subscribers.hearsEvents || !waiters.isEmpty }

    package mutating func record(_ entry: JournalEntry, _ real: Int64) {
        if recorder != nil { send(.record(entry), real) }
    }

    /// Where there is a store, what listeners are told waits for it.
    private mutating func send(_ item: Outbox.Item, _ real: Int64) {
        let publication = Outbox.Publication(item: item, lastListener: subscribers.lastID, lastWaiter: lastWaiter)
        if outbox != nil { outbox?.publications.append(publication) } else { release(publication, real) }
    }

    package mutating func release(_ publication: Outbox.Publication, _ real: Int64) {
        switch publication.item {
        case .delivery(let delivery): cutOff(subscribers.deliver(delivery, upTo: publication.lastListener), real)
        case .event(let event): cutOff(subscribers.tell(event, upTo: publication.lastListener), real)
        case .record(let entry): recorder?.add(entry)
        case .shown(let entry): show(entry, isNew: true, upTo: publication.lastWaiter)
        case .life(let sequence):
            guard let entry = world.notification(sequence) else { return }
            show(entry, isNew: false, upTo: publication.lastWaiter)
        }
    }

    /// Their connections are closed as well, so that the devices come back for what they have missed.
    package mutating func endListenersOfDevices() {
        afterwards += subscribers.endDevices()
    }

    package mutating func tell(
        _ change: GatewayEvent.DeviceChange, _ result: (device: Device, events: [DeliveryEvent])?, _ real: Int64
    ) -> Device? {
        guard let (device, events) = result else { return nil }
        tell(.device(change, device), real)
        publish(events, real)
        return device
    }

    /// Says which fault rules came to their end by themselves.
    package mutating func tellEndedFaults(_ real: Int64) {
        guard world.hasEndedFaults else { return }
        for fault in world.takeEndedFaults() { tell(.fault(.ended, fault), real) }
    }

    /// Has a new entry shown to those who wait.
    package mutating func show(_ entry: JournalEntry, _ real: Int64) {
        if !waiters.isEmpty { send(.shown(entry), real) }
    }

    /// Shows an entry to those who wait and came no later than `last`; one that is not new only to those that look at its
    /// life.
    private mutating func show(_ entry: JournalEntry, isNew: Bool, upTo last: UInt64) {
        for id in waiters.keys where isNew || waiters[id]?.expectation.match.looksAtLife == true {
            guard id <= last, waiters[id]?.expectation.look(at: entry) == true else { continue }
            if waiters[id]?.expectation.isSettled == true { settle(id) }
        }
    }

    /// The journal is another one.
    package mutating func lookAgain() {
        for id in waiters.keys { waiters[id]?.expectation.look(at: world) }
    }

    package mutating func settle(_ id: UInt64) {
        guard let waiter = waiters.removeValue(forKey: id) else { return }
        if waiters.isEmpty { looksAtLife = false }
        afterwards.append { waiter.settled(waiter.expectation) }
    }

    private mutating func cutOff(_ ids: [UInt64], _ real: Int64) {
        for id in ids {
            if let disconnect = subscribers.disconnect(id) { afterwards.append(disconnect) }
            remove(id, real)
        }
    }

    package mutating func remove(_ id: UInt64, _ real: Int64) {
        guard let (token, environment) = subscribers.remove(id) else { return }
        world.unsubscribe(token, in: environment, real: real)
    }
}
