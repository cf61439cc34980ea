import APNSModel

extension World {
    /// Sets the clock as `WorldClock.set` does.
    ///
    /// - Returns: What happened because of it, in the order of time.
    package mutating func setClock(_ mode: WorldClock.Mode, to now: Int64?, real: Int64) -> [DeliveryEvent] {
        let before = self.now(real: real)
        clock.set(mode, to: now, real: real)
        return timeJumped(from: before, real: real)
    }

    /// Moves the clock by `milliseconds`.
    ///
    /// - Returns: What happened because of it, in the order of time.
    package mutating func advanceClock(by milliseconds: Int64, real: Int64) -> [DeliveryEvent] {
        let before = now(real: real)
        clock.advance(by: milliseconds, real: real)
        return timeJumped(from: before, real: real)
    }

    private mutating func timeJumped(from before: Int64, real: Int64) -> [DeliveryEvent] {
        let now = now(real: real)
        let events = passTime(to: now)
        guard now < before else { return events }
        // The clock went back: what is held until a time would be held for too long.
        return events + holdAnew(at: now) { $0.until != nil }
    }

    /// Changes the settings. When budgets change, notifications held because of a budget are decided again.
    ///
    /// - Returns: What happened because of it, in the order of time.
    package mutating func change(to settings: WorldSettings, real: Int64) -> [DeliveryEvent] {
        guard settings != self.settings else { return [] }
        let hasOtherBudgets = settings.budgets != self.settings.budgets
        let now = now(real: real)
        let events = hasOtherBudgets ? passTime(to: now) : []
        self.settings = settings
        return hasOtherBudgets ? events + holdAnew(at: now) { $0.cause == .budget } : events
    }

    /// Does what is due by now: stored notifications expire, held ones are decided again, devices that a fault rule took
    /// offline come back, fault rules end. Cheap before `nextChange`.
    ///
    /// - Returns: What happened, in the order of time.
    package mutating func expireStored(real: Int64) -> [DeliveryEvent] { passTime(to: now(real: real)) }

    /// Nothing is due before this. Milliseconds since 1970.
    package var nextChange: Int64 { min(nextExpiry, faults.nextEnd) }

    /// Nothing is due for notifications and devices before this. Milliseconds since 1970.
    package var nextExpiry: Int64 { min(nextWakeUp, nextChannelExpiry) }

    /// Nothing is due for devices before this. Milliseconds since 1970.
    private var nextWakeUp: Int64 { wakeUps.first?.due ?? .max }

    mutating func passTime(to now: Int64) -> [DeliveryEvent] {
        faults.removeOver(at: now)
        var events: [DeliveryEvent] = []
        // One at a time, because its effect may be due before the next.
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
        // The slot may belong to another device by now, or the device may have an earlier wake-up.
        guard slot < self[environment].count, self[environment].wakeUp(of: slot) == wakeUp.due else { return }
        let first = events.count
        self[environment][slot].wakeUp(at: wakeUp.due, deliveryRules, into: &events)
        for event in events[first...] { journal.add(event.life, to: event.delivery.sequence) }
        setWakeUp(slot, in: environment)
    }

    /// Sets the wake-up of a device that has changed.
    mutating func setWakeUp(_ slot: Int, in environment: APNSEnvironment) {
        guard let due = self[environment][slot].takeWakeUp() else { return }
        wakeUps.insert(WakeUp(due: due, environment: environment, slot: slot))
        // A device that gets an earlier wake-up leaves the later one in the heap, so the heap has to be cleared now and then.
        if wakeUps.count > 2 * (self[.sandbox].count + self[.production].count) + 64 { rebuildWakeUps() }
    }

    /// Computes the wake-ups of all devices again. Also for devices loaded from a store.
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

    /// Decides again about every device with a notification on such a hold.
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
