import APNSModel

extension Delivery {
    /// When the notification may not be delivered any more, at most 30 days on; its arrival when it asks for one attempt
    /// or its expiration has passed already. Milliseconds since 1970.
    func storageEnds(receivedAt now: Int64) -> Int64 {
        let latest = now + Expiration.maximumStorageSeconds * 1000
        guard let expiration else { return latest }
        return max(now, min(latest, min(expiration.secondsSince1970, WorldClock.range.upperBound / 1000) * 1000))
    }
}

/// What becomes of accepted notifications (apns-protocol.md section 7). Each step appends to `events` what happened.
extension Device {
    typealias Limits = (history: Int, waiting: Int)

    /// Delivers or stores an accepted notification.
    mutating func take(
        _ delivery: Delivery, until expiry: Int64, at now: Int64, limits: Limits, into events: inout [DeliveryEvent]
    ) {
        guard isInstalled else {
            return events.append(
                DeliveryEvent(.dropped, delivery, at: now, "the app is uninstalled, which APNs has not noticed yet"))
        }
        guard !isReachable else { return deliver(delivery, at: now, limits.history, into: &events) }
        guard expiry > now else {
            let why =
                delivery.expiration == .once
                ? "apns-expiration 0 asks for one attempt, and the device was not connected"
                : "apns-expiration lies in the past, which allows one attempt, and the device was not connected"
            return events.append(DeliveryEvent(.dropped, delivery, at: now, why))
        }
        expireWaiting(at: now, into: &events)
        if link == .interrupted {
            if waiting.count >= max(1, limits.waiting) {
                let oldest = waiting.removeFirst()
                events.append(
                    DeliveryEvent(
                        .dropped, oldest.delivery, at: now,
                        "more than \(limits.waiting) notifications wait for the device's connection to resume"))
            }
        } else {
            replaceWaiting(by: delivery, at: now, into: &events)
        }
        waiting.append(StoredDelivery(delivery: delivery, expiresAt: expiry))
        let why =
            link == .interrupted
            ? "the device's connection was interrupted; waits for it to resume"
            : isOnline
                ? "no device is connected; stored until one is" : "the device is offline; stored until it is back"
        events.append(DeliveryEvent(.stored, delivery, at: now, why))
    }

    /// Gives a reachable device what waits for it, oldest first.
    mutating func settle(at now: Int64, limits: Limits, into events: inout [DeliveryEvent]) {
        expireWaiting(at: now, into: &events)
        guard isReachable, !waiting.isEmpty else { return }
        let ready = waiting
        waiting = []
        for stored in ready { deliver(stored.delivery, at: now, limits.history, into: &events) }
    }

    /// Leaves the network.
    ///
    /// - Parameter back: When it is back by itself; nil for not.
    mutating func goOffline(until back: Int64?, at now: Int64, into events: inout [DeliveryEvent]) {
        isOnline = false
        backAt = back
        if link == .interrupted { link = .none }
        expireWaiting(at: now, into: &events)
        keepNewestWaiting(at: now, into: &events)
    }

    /// Removes the app.
    ///
    /// - Parameter noticed: When the gateway learns of it; nil goes by the setting.
    mutating func uninstall(noticedAt noticed: Int64?, at now: Int64, into events: inout [DeliveryEvent]) {
        guard isInstalled else { return }
        registration = .uninstalled(at: now)
        noticedAt = noticed
        dropWaiting("the app was uninstalled before it could be delivered", at: now, into: &events)
    }

    /// What happens by the passing of time: a device that was away for a time is back, and what is too old expires.
    mutating func timePasses(to now: Int64, limits: Limits, into events: inout [DeliveryEvent]) {
        if let back = backAt, back <= now {
            backAt = nil
            isOnline = true
            settle(at: back, limits: limits, into: &events)
        }
        expireWaiting(at: now, into: &events)
    }

    /// When time next does something to it; nil for never.
    var nextChange: Int64? { waiting.reduce(backAt) { min($0 ?? .max, $1.expiresAt) } }

    /// Keeps only the newest of what waits, as APNs does for a device that is away.
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

    /// Drops the broadcasts of channels that the device does not subscribe to any more.
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

    /// What happens to what waits for a device that is forgotten to make room for another.
    func eventsOfForgetting(at now: Int64, _ maximum: Int) -> [DeliveryEvent] {
        waiting.map {
            DeliveryEvent(
                .dropped, $0.delivery, at: now,
                "the gateway holds \(maximum) devices, its limit, and forgot this one, which nobody registered")
        }
    }

    mutating func expireWaiting(at now: Int64, into events: inout [DeliveryEvent]) {
        guard waiting.contains(where: { $0.expiresAt <= now }) else { return }
        for stored in waiting where stored.expiresAt <= now {
            events.append(
                DeliveryEvent(
                    .expired, stored.delivery, at: now, "its storage time was over before the device was back"))
        }
        waiting.removeAll { $0.expiresAt <= now }
    }

    /// One notification is stored for the app, and beside it one of each channel.
    private mutating func replaceWaiting(by newer: Delivery, at now: Int64, into events: inout [DeliveryEvent]) {
        for stored in waiting where stored.delivery.channelID == newer.channelID {
            let isSame = newer.collapseID != nil && newer.collapseID == stored.delivery.collapseID
            events.append(
                DeliveryEvent(
                    .replaced, stored.delivery, at: now,
                    "replaced by \(newer.uniqueID)"
                        + (isSame
                            ? ", which has the same collapse id"
                            : newer.channelID == nil
                                ? ": only the newest is stored for an app on a device"
                                : ": only the most recent message of a channel is stored")))
        }
        waiting.removeAll { $0.delivery.channelID == newer.channelID }
    }

    private mutating func deliver(
        _ delivery: Delivery, at now: Int64, _ maximum: Int, into events: inout [DeliveryEvent]
    ) {
        for copy in 1...delivery.copies {
            if history.count >= 2 * max(1, maximum) { history.removeFirst(history.count - max(1, maximum) + 1) }
            history.append(delivery)
            let why = copy == 1 ? "the device is connected" : "once more, because of a fault rule"
            events.append(DeliveryEvent(.delivered, delivery, at: now, why))
        }
    }
}
