import APNSModel

extension World {
    /// Sets the clock as `WorldClock.set` does.
    ///
    /// - Returns: What happened by it, in the order of its time.
    package mutating func setClock(_ mode: WorldClock.Mode, to now: Int64?, real: Int64) -> [DeliveryEvent] {
        let before = self.now(real: real)
        clock.set(mode, to: now, real: real)
        return timeJumped(from: before, real: real)
    }

    /// Moves the clock by `milliseconds`.
    ///
    /// - Returns: What happened by it, in the order of its time.
    package mutating func advanceClock(by milliseconds: Int64, real: Int64) -> [DeliveryEvent] {
        let before = now(real: real)
        clock.advance(by: milliseconds, real: real)
        return timeJumped(from: before, real: real)
    }

    private mutating func timeJumped(from before: Int64, real: Int64) -> [DeliveryEvent] {
        let now = now(real: real)
        let events = passTime(to: now)
        guard now < before else { return events }
        // What is held until a time would be held for too long.
        return events + holdAnew(at: now) { $0.until != nil }
    }

    /// Changes how the world behaves. What is held for its budget is looked at again when budgets change.
    ///
    /// - Returns: What happened by it, in the order of its time.
    package mutating func change(to settings: WorldSettings, real: Int64) -> [DeliveryEvent] {
        guard settings != self.settings else { return [] }
        let hasOtherBudgets = settings.budgets != self.settings.budgets
        let now = now(real: real)
        let events = hasOtherBudgets ? passTime(to: now) : []
        self.settings = settings
        return hasOtherBudgets ? events + holdAnew(at: now) { $0.cause == .budget } : events
    }

    /// Does what the passing of time does: stored notifications expire, held ones are looked at again, devices that were
    /// away for a time are back, fault rules end. Cheap before `nextChange`.
    ///
    /// - Returns: What happened, in the order of its time.
    package mutating func expireStored(real: Int64) -> [DeliveryEvent] { passTime(to: now(real: real)) }

    /// Nothing happens by the passing of time before this. Milliseconds since 1970.
    package var nextChange: Int64 { min(nextExpiry, faults.nextEnd) }

    /// Nothing happens to notifications and devices by the passing of time before this. Milliseconds since 1970.
    package var nextExpiry: Int64 { min(nextWakeUp, nextChannelExpiry) }

    /// No device changes by the passing of time before this. Milliseconds since 1970.
    private var nextWakeUp: Int64 { wakeUps.first?.due ?? .max }

    mutating func passTime(to now: Int64) -> [DeliveryEvent] {
        faults.removeOver(at: now)
        var events: [DeliveryEvent] = []
        // One at a time, because what one brings about may be due before the next.
        while nextExpiry <= now {
            if nextChannelExpiry <= nextWakeUp {
                nextChannelExpiry = expireChannels(at: nextChannelExpiry)
            } else if let wakeUp = wakeUps.removeFirst() {
                wake(wakeUp, into: &events)
            }
        }
        return events
    }

    private mutating func wake(_ wakeUp: WakeUp, into events: inout [DeliveryEvent]) {
        let (environment, slot) = (wakeUp.environment, wakeUp.slot)
        // Another device may have the slot by now, and this one an earlier time.
        guard slot < self[environment].count, self[environment].wakeUp(of: slot) == wakeUp.due else { return }
        let first = events.count
        self[environment][slot].wakeUp(at: wakeUp.due, deliveryRules, into: &events)
        for event in events[first...] { journal.add(event.life, to: event.delivery.sequence) }
        setWakeUp(slot, in: environment)
    }

    /// To be called when something has changed that a device waits for.
    mutating func setWakeUp(_ slot: Int, in environment: APNSEnvironment) {
        guard let due = self[environment][slot].takeWakeUp() else { return }
        wakeUps.insert(WakeUp(due: due, environment: environment, slot: slot))
        // Each time that comes earlier than the one before leaves the one before in the heap.
        if wakeUps.count > 2 * (self[.sandbox].count + self[.production].count) + 64 { rebuildWakeUps() }
    }

    /// Sets the wake-ups of all devices anew; also to be called when devices were put back as they once were.
    mutating func rebuildWakeUps() {
        var all: [WakeUp] = []
        for environment in APNSEnvironment.allCases {
            for slot in 0..<self[environment].count {
                let due = self[environment][slot].setWakeUp()
                if due < .max { all.append(WakeUp(due: due, environment: environment, slot: slot)) }
            }
        }
        wakeUps = Heap(all)
    }

    /// Looks again at every device that something is held for by such a hold.
    private mutating func holdAnew(at now: Int64, where isMeant: (Hold) -> Bool) -> [DeliveryEvent] {
        var events: [DeliveryEvent] = []
        for environment in APNSEnvironment.allCases {
            for slot in 0..<self[environment].count
            where self[environment][slot].waiting.contains(where: { $0.hold.map(isMeant) ?? false }) {
                self[environment][slot].settle(at: now, deliveryRules, into: &events)
                setWakeUp(slot, in: environment)
            }
        }
        for event in events { journal.add(event.life, to: event.delivery.sequence) }
        return events
    }
}
