import APNSModel

extension Delivery {
    /// When storage ends, at most 30 days after arrival; the time of arrival if the notification asks for one attempt or its
    /// expiration has passed. Milliseconds since 1970.
    func storageEnds(receivedAt now: Int64) -> Int64 {
        let latest = now + Expiration.maximumStorageSeconds * 1000
        guard let expiration else { return latest }
        return max(now, min(latest, min(expiration.secondsSince1970, WorldClock.range.upperBound / 1000) * 1000))
    }
}

/// What happens to accepted notifications (docs/reference/apns.md section 7). Each step appends to `events`.
extension Device {
    /// Delivers, stores or holds an accepted notification.
    mutating func take(
        _ delivery: Delivery, until expiry: Int64, at now: Int64, _ rules: DeliveryRules,
        into events: inout [DeliveryEvent]
    ) {
        guard isInstalled else {
            return events.append(
                DeliveryEvent(.dropped, delivery, at: now, "the app is uninstalled, which APNs has not noticed yet"))
        }
        let stored = StoredDelivery(delivery: delivery, expiresAt: expiry)
        if isReachable {
            receive(stored, at: now, rules, into: &events)
        } else {
            store(stored, at: now, rules, into: &events)
        }
    }

    /// Stores a notification for a device that is not reachable.
    private mutating func store(
        _ stored: StoredDelivery, at now: Int64, _ rules: DeliveryRules, into events: inout [DeliveryEvent]
    ) {
        let delivery = stored.delivery
        guard stored.expiresAt > now else {
            return events.append(
                DeliveryEvent(.dropped, delivery, at: now, delivery.whyNotStored))
        }
        if connection == .interrupted {
            if waiting.count >= max(1, rules.waiting) {
                let oldest = waiting.removeFirst()
                events.append(
                    DeliveryEvent(
                        .dropped, oldest.delivery, at: now,
                        "more than \(rules.waiting) notifications wait for the device's connection to resume"))
            }
        } else {
            replaceWaiting(by: delivery, at: now, into: &events)
        }
        waiting.append(stored)
        let why =
            connection == .interrupted
            ? "the device's connection was interrupted; waits for it to resume"
            : isOnline
                ? "no device is connected; stored until one is" : "the device is offline; stored until it is back"
        events.append(DeliveryEvent(.stored, delivery, at: now, why))
    }

    /// Delivers a notification to a reachable device, or holds or drops it.
    ///
    /// - Parameter isWoken: Whether the device is awake for a moment, for another notification or for a group.
    private mutating func receive(
        _ stored: StoredDelivery, isWoken: Bool = false, at now: Int64, _ rules: DeliveryRules,
        into events: inout [DeliveryEvent]
    ) {
        switch decide(stored.delivery, isWoken: isWoken, rules, at: now) {
        case .deliver(let budget): deliver(stored, spends: budget, at: now, rules, into: &events)
        case .drop(let why): events.append(DeliveryEvent(.dropped, stored.delivery, at: now, why))
        case .hold(let hold, let why):
            guard stored.expiresAt > now else {
                return events.append(
                    DeliveryEvent(.dropped, stored.delivery, at: now, stored.delivery.oneAttempt + why))
            }
            replaceWaiting(by: stored.delivery, at: now, into: &events)
            waiting.append(StoredDelivery(delivery: stored.delivery, expiresAt: stored.expiresAt, hold: hold))
            if stored.hold?.cause != hold.cause {
                events.append(DeliveryEvent(.throttled, stored.delivery, at: now, why))
            }
        }
    }

    /// Decides again about everything that waits for a reachable device.
    ///
    /// - Parameter inOrder: Whether the oldest comes first; otherwise the world's seed decides.
    mutating func settle(
        inOrder: Bool = true, at now: Int64, _ rules: DeliveryRules, into events: inout [DeliveryEvent]
    ) {
        expireWaiting(at: now, into: &events)
        guard isReachable, !waiting.isEmpty else { return }
        let ready = inOrder ? Array(waiting) : rules.shuffled(Array(waiting), of: ordinal, at: now)
        waiting = []
        for stored in ready {
            receive(stored, isWoken: stored.hold?.isGroupDue(at: now) ?? false, at: now, rules, into: &events)
        }
    }

    /// The device leaves the network.
    ///
    /// - Parameter back: When it comes back by itself; nil if it does not.
    mutating func goOffline(until back: Int64?, at now: Int64, into events: inout [DeliveryEvent]) {
        isOnline = false
        backAt = back
        if connection == .interrupted { connection = .none }
        endHolds()
        expireWaiting(at: now, into: &events)
        keepNewestWaiting(at: now, into: &events)
    }

    /// The device is on the network again.
    mutating func goOnline(at now: Int64, _ rules: DeliveryRules, into events: inout [DeliveryEvent]) {
        isOnline = true
        backAt = nil
        settle(inOrder: false, at: now, rules, into: &events)
    }

    /// Removes all holds: for a device that is not reachable everything is simply stored.
    mutating func endHolds() {
        if !waiting.isEmpty { waiting.endHolds() }
    }

    /// The user force-quits the app, which drops held silent pushes (docs/reference/apns.md 6.7).
    mutating func forceQuit(at now: Int64, into events: inout [DeliveryEvent]) {
        appState = .forceQuit
        dropHeld("the user force-quit the app while the silent push was held, which drops it", at: now, into: &events)
    }

    /// The system ends the app, which drops held silent pushes where the setting says so (docs/reference/apns.md 11,
    /// row 41).
    mutating func terminate(at now: Int64, into events: inout [DeliveryEvent]) {
        appState = .terminated
        dropHeld("the system ended the app while the silent push was held, which drops it", at: now, into: &events)
    }

    private mutating func dropHeld(_ why: String, at now: Int64, into events: inout [DeliveryEvent]) {
        func isHeld(_ stored: StoredDelivery) -> Bool {
            stored.hold != nil && stored.delivery.channelID == nil && kind == .app && stored.delivery.isSilent
        }
        for stored in waiting where isHeld(stored) {
            events.append(DeliveryEvent(.dropped, stored.delivery, at: now, why))
        }
        waiting.removeAll(where: isHeld)
    }

    /// Removes the app.
    ///
    /// - Parameter noticed: When the gateway learns of it; nil uses the setting.
    mutating func uninstall(noticedAt noticed: Int64?, at now: Int64, into events: inout [DeliveryEvent]) {
        guard isInstalled else { return }
        registration = .uninstalled(at: now)
        noticedAt = noticed
        dropWaiting("the app was uninstalled before it could be delivered", at: now, into: &events)
    }

    /// Does what is due: a device that a fault rule took offline comes back, old notifications expire, and held ones are
    /// decided again.
    mutating func wakeUp(at due: Int64, _ rules: DeliveryRules, into events: inout [DeliveryEvent]) {
        wakeUpAt = .max
        expireWaiting(at: due, into: &events)
        if let expiresAt, expiresAt <= due {
            dropWaiting("its device token expired before it could be delivered", at: due, into: &events)
        }
        if let back = backAt, back <= due {
            goOnline(at: due, rules, into: &events)
        } else if waiting.contains(where: { $0.hold?.until.map { $0 <= due } ?? false }) {
            settle(at: due, rules, into: &events)
            if !isReachable { endHolds() }
        }
    }

    /// When something is next due; nil for never.
    var nextChange: Int64? {
        guard !waiting.isEmpty else { return backAt }
        var next = min(backAt ?? .max, expiresAt ?? .max)
        for stored in waiting { next = min(next, stored.expiresAt, stored.hold?.until ?? .max) }
        return next
    }

    /// The new wake-up, if it is earlier than the current one.
    mutating func takeWakeUp() -> Int64? {
        guard let next = nextChange, next < wakeUpAt else { return nil }
        wakeUpAt = next
        return next
    }

    /// Computes the wake-up again; `Int64.max` for never.
    mutating func setWakeUp() -> Int64 {
        if !isReachable { endHolds() }
        wakeUpAt = nextChange ?? .max
        return wakeUpAt
    }

    /// Keeps only the newest of what waits, as APNs does for a device that is offline.
    mutating func keepNewestWaiting(at now: Int64, into events: inout [DeliveryEvent]) {
        guard waiting.count > 1 else { return }
        let all = waiting
        waiting = []
        for stored in all {
            replaceWaiting(by: stored.delivery, at: now, into: &events)
            waiting.append(stored)
        }
    }

    /// Drops all that waits.
    mutating func dropWaiting(_ why: String, at now: Int64, into events: inout [DeliveryEvent]) {
        for stored in waiting { events.append(DeliveryEvent(.dropped, stored.delivery, at: now, why)) }
        waiting = []
    }

    /// Drops the broadcasts of channels that the device no longer subscribes to.
    mutating func dropWaiting(ofChannelsBut kept: [ChannelID], at now: Int64, into events: inout [DeliveryEvent]) {
        func isGone(_ stored: StoredDelivery) -> Bool {
            stored.delivery.channelID.map { !kept.contains($0) } ?? false
        }
        for stored in waiting where isGone(stored) {
            events.append(
                DeliveryEvent(
                    .dropped, stored.delivery, at: now, "the device left the channel before it could be delivered"))
        }
        waiting.removeAll(where: isGone)
    }

    /// The events for what waits for a device that is removed in favour of another.
    func eventsOfForgetting(at now: Int64, _ maximum: Int) -> [DeliveryEvent] {
        waiting.map {
            DeliveryEvent(
                .dropped, $0.delivery, at: now,
                "the gateway is at its limit of \(maximum) devices and removed this one, which was registered on use")
        }
    }

    mutating func expireWaiting(at now: Int64, into events: inout [DeliveryEvent]) {
        guard waiting.contains(where: { $0.expiresAt <= now }) else { return }
        for stored in waiting where stored.expiresAt <= now {
            let why =
                stored.hold.map { "it expired while it was held (\($0.cause.rawValue))" }
                ?? "its storage time was over before the device was back"
            events.append(DeliveryEvent(.expired, stored.delivery, at: stored.expiresAt, why))
        }
        waiting.removeAll { $0.expiresAt <= now }
    }

    /// One notification is stored for the app, and one for each channel.
    private mutating func replaceWaiting(by newer: Delivery, at now: Int64, into events: inout [DeliveryEvent]) {
        guard !waiting.isEmpty else { return }
        for stored in waiting where stored.delivery.channelID == newer.channelID {
            let isSame = newer.collapseID != nil && newer.collapseID == stored.delivery.collapseID
            events.append(
                DeliveryEvent(
                    stored.delivery, replacedBy: newer, at: now,
                    isSame
                        ? ", which has the same collapse id"
                        : newer.channelID == nil
                            ? ": only the newest is stored for an app on a device"
                            : ": only the most recent message of a channel is stored"))
        }
        waiting.removeAll { $0.delivery.channelID == newer.channelID }
    }

    private mutating func deliver(
        _ stored: StoredDelivery, spends budget: DeliveryBudget?, at now: Int64, _ rules: DeliveryRules,
        into events: inout [DeliveryEvent]
    ) {
        let delivery = stored.delivery
        if !waiting.isEmpty { collapseHeld(into: delivery, at: now, &events) }
        if let budget { budgetUse.spend(budget, at: now) }
        if delivery.channelID == nil, kind == .liveactivity { activity.apply(delivery, at: now) }
        let maximum = max(1, rules.history)
        for copy in 1...delivery.copies {
            if history.count >= 2 * maximum { history.removeFirst(history.count - maximum + 1) }
            history.append(delivery)
            let why = copy == 1 ? self.why(of: stored) : "once more, because of a fault rule"
            events.append(DeliveryEvent(.delivered, delivery, at: now, why))
        }
        if delivery.priority == .immediate, !waiting.isEmpty { deliverWaiting(with: delivery, at: now, rules, &events) }
    }

    private func why(of stored: StoredDelivery) -> String {
        let here = "the device is connected" + (appState == .background ? "" : silentPushEffect(stored.delivery))
        guard let hold = stored.hold else { return here }
        return here + ", and the hold has ended (\(hold.cause.rawValue))"
    }

    /// What a silent push does to an app that is not already running in the background.
    private func silentPushEffect(_ delivery: Delivery) -> String {
        guard kind == .app, delivery.channelID == nil, delivery.isSilent else { return "" }
        return switch appState {
        case .foreground: ", the app is in the foreground"
        case .suspended: ", the app is woken"
        case .terminated: ", the app is launched in the background"
        case .background, .forceQuit: ""
        }
    }

    /// The user sees one notification of a collapse id; an older one that is held must not replace the newer one.
    private mutating func collapseHeld(into newer: Delivery, at now: Int64, _ events: inout [DeliveryEvent]) {
        guard let id = newer.collapseID else { return }
        func isOlder(_ stored: StoredDelivery) -> Bool {
            stored.delivery.collapseID == id && stored.delivery.channelID == newer.channelID
                && stored.delivery.sequence < newer.sequence
        }
        for stored in waiting where isOlder(stored) {
            events.append(
                DeliveryEvent(
                    stored.delivery, replacedBy: newer, at: now,
                    ", which has the same collapse id and was delivered ahead of it"))
        }
        waiting.removeAll(where: isOlder)
    }

    /// Priority 10 wakes the device, so what was held because of its power is delivered as well.
    private mutating func deliverWaiting(
        with newer: Delivery, at now: Int64, _ rules: DeliveryRules, _ events: inout [DeliveryEvent]
    ) {
        func goes(_ stored: StoredDelivery) -> Bool {
            switch stored.hold?.cause {
            case .power, .sleep, .lowPower: stored.expiresAt > now
            case .budget, .lowData, .backgroundRefresh, .forceQuit, nil: false
            }
        }
        let along = waiting.filter(goes)
        waiting.removeAll(where: goes)
        for stored in along { receive(stored, isWoken: true, at: now, rules, into: &events) }
    }
}

extension Delivery {
    /// The beginning of the reason for dropping a notification that may not wait.
    fileprivate var oneAttempt: String {
        expiration == .once
            ? "apns-expiration 0 asks for one attempt, and "
            : "apns-expiration is in the past, which allows one attempt, and "
    }

    /// The same with the most frequent end. It is one literal: joining two strings would allocate one for each notification,
    /// which its journal entry would hold and free.
    fileprivate var whyNotStored: String {
        expiration == .once
            ? "apns-expiration 0 asks for one attempt, and the device was not connected"
            : "apns-expiration is in the past, which allows one attempt, and the device was not connected"
    }
}
