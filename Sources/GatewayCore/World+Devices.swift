package import APNSModel

extension World {
    /// Registers a device, or reports a known device token again, which makes an uninstalled one active.
    package mutating func register(
        _ registration: DeviceRegistration, real: Int64
    ) throws(RegistrationFault) -> Device {
        guard let named = Topic(registration.topic) else { throw .badTopic(registration.topic) }
        let kind = registration.kind ?? DeviceKind(suffix: named.suffix)
        guard named.suffix.isEmpty || named.suffix == kind.topicSuffix else {
            throw .kindNotForTopic(kind, topic: named.value)
        }
        guard let topic = Topic(named.bundleID + kind.topicSuffix) else { throw .badTopic(registration.topic) }
        let token: DeviceToken
        if let text = registration.token {
            guard let named = DeviceToken(text), named.byteCount <= DeviceChecks.maximumBytes else {
                throw .badDeviceToken
            }
            token = named
        } else {
            token = DeviceToken.random(using: &generator)
        }
        let (environment, now) = (registration.environment, now(real: real))
        if let slot = self[environment].slot(of: token) {
            let known = self[environment][slot]
            if known.topic == topic, known.kind == kind {
                self[environment].keep(slot)
                self[environment][slot].registration = .active
                self[environment][slot].registeredAt = now
            } else {
                guard known.isImplicit else { throw .deviceTokenTaken(topic: known.topic.value) }
                self[environment].replace(slot, kind: kind, topic: topic, at: now)
            }
            return self[environment][slot]
        }
        let maximum = settings.maximumDevices
        guard self[environment].hasRoom(maximum, forgetting: true) else { throw .full("devices", maximum) }
        let (slot, forgotten) = self[environment].add(
            token, environment: environment, kind: kind, topic: topic, isImplicit: false, at: now, maximum: maximum)
        for event in forgotten?.eventsOfForgetting(at: now, maximum) ?? [] {
            journal.add(event.life, to: event.delivery.sequence)
        }
        return self[environment][slot]
    }

    package func device(_ token: DeviceToken, in environment: APNSEnvironment) -> Device? {
        self[environment].slot(of: token).map { self[environment][$0] }
    }

    /// Every device of an environment in the order of registration.
    ///
    /// - Parameter ordinal: Only devices registered after the one with this ordinal; nil for all.
    package func devices(
        in environment: APNSEnvironment, after ordinal: UInt64? = nil, limit: Int
    ) -> (total: Int, devices: [Device]) {
        let table = self[environment]
        let later = table.slots.filter { device in ordinal.map { device.ordinal > $0 } ?? true }
        return (table.count, Array(later.sorted { $0.ordinal < $1.ordinal }.prefix(max(0, limit))))
    }

    /// Changes a device; nil when there is none. What waits for a device that comes back is delivered.
    package mutating func patch(
        _ token: DeviceToken, in environment: APNSEnvironment, _ patch: DevicePatch, real: Int64
    ) -> (device: Device, events: [DeliveryEvent])? {
        modify(token, in: environment, real: real) { device, now, limits, events in
            if let isInLowPower = patch.isInLowPower { device.isInLowPower = isInLowPower }
            if let allows = patch.allowsBackgroundRefresh { device.allowsBackgroundRefresh = allows }
            if let appState = patch.appState { device.appState = appState }
            if let expiresAt = patch.expiresAt { device.expiresAt = expiresAt }
            if let isOnline = patch.isOnline {
                device.isOnline = isOnline
                device.backAt = nil
            }
            if !device.isOnline { device.goOffline(until: device.backAt, at: now, into: &events) }
            device.settle(at: now, limits: limits, into: &events)
        }
    }

    /// Removes the app from the device: later sends get `Unregistered`, after `unregisteredDelay`.
    ///
    /// A second uninstall changes nothing. Nil when there is no such device.
    package mutating func uninstall(
        _ token: DeviceToken, in environment: APNSEnvironment, real: Int64
    ) -> (device: Device, events: [DeliveryEvent])? {
        endSubscriptions(of: token, in: environment)
        return modify(token, in: environment, real: real) { device, now, _, events in
            device.uninstall(noticedAt: nil, at: now, into: &events)
        }
    }

    /// A device connects to take its deliveries.
    ///
    /// What waits for it comes as `events`, to be sent to all listeners of the device, this one included, **after**
    /// `resumption` was sent to this one.
    ///
    /// - Parameter lastID: The `apns-unique-id` of the last delivery that it has. With it an interrupted connection goes on
    ///   where it was, nothing left out; without it a device starts afresh and gets the newest of what waits.
    /// - Returns: Nil when there is no such device.
    package mutating func subscribe(
        _ token: DeviceToken, in environment: APNSEnvironment, after lastID: String? = nil, real: Int64
    ) -> (resumption: Resumption, events: [DeliveryEvent])? {
        guard let resumption = deliveries(to: token, in: environment, since: lastID) else { return nil }
        let modified = modify(token, in: environment, real: real) { device, now, limits, events in
            device.expireWaiting(at: now, into: &events)
            if lastID == nil { device.keepNewestWaiting(at: now, into: &events) }
            device.link = .connected(listeners: device.listeners + 1)
            device.settle(at: now, limits: limits, into: &events)
        }
        return modified.map { (resumption, $0.events) }
    }

    /// A listener that `subscribe` counted is gone.
    package mutating func unsubscribe(_ token: DeviceToken, in environment: APNSEnvironment, real: Int64) {
        _ = modify(token, in: environment, real: real) { device, _, _, _ in
            guard case .connected(let listeners) = device.link else { return }
            device.link = listeners > 1 ? .connected(listeners: listeners - 1) : device.isOnline ? .interrupted : .none
        }
    }

    /// What reached a device after the delivery `lastID`; nothing for nil. Nil when there is no such device.
    package func deliveries(
        to token: DeviceToken, in environment: APNSEnvironment, since lastID: String?
    ) -> Resumption? {
        guard let device = device(token, in: environment) else { return nil }
        guard let lastID else { return Resumption(deliveries: [], isComplete: true) }
        guard let last = device.history.lastIndex(where: { $0.uniqueID == lastID }) else {
            return Resumption(deliveries: device.history, isComplete: false)
        }
        return Resumption(deliveries: Array(device.history[(last + 1)...]), isComplete: true)
    }

    /// Gives up what expired while it was stored, brings back devices that were away for a time, and ends fault rules
    /// whose time is over. Cheap before `nextChange`.
    package mutating func expireStored(real: Int64) -> [DeliveryEvent] {
        let now = now(real: real)
        faults.removeOver(at: now)
        guard now >= nextExpiry else { return [] }
        var events: [DeliveryEvent] = []
        var next = Int64.max
        let limits = (history: settings.maximumHistory, waiting: settings.maximumWaiting)
        for environment in APNSEnvironment.allCases {
            for slot in 0..<self[environment].count where self[environment][slot].nextChange != nil {
                self[environment][slot].timePasses(to: now, limits: limits, into: &events)
                next = min(next, self[environment][slot].nextChange ?? .max)
            }
        }
        nextExpiry = min(next, expireChannels(at: now))
        for event in events { journal.add(event.life, to: event.delivery.sequence) }
        return events
    }

    /// Nothing happens by the passing of time before this. Milliseconds since 1970.
    package var nextChange: Int64 { min(nextExpiry, faults.nextEnd) }

    /// A device that somebody touches is one that is not forgotten any more.
    mutating func modify(
        _ token: DeviceToken, in environment: APNSEnvironment, real: Int64,
        _ body: (inout Device, _ now: Int64, Device.Limits, inout [DeliveryEvent]) -> Void
    ) -> (device: Device, events: [DeliveryEvent])? {
        guard let slot = self[environment].slot(of: token) else { return nil }
        let limits = (history: settings.maximumHistory, waiting: settings.maximumWaiting)
        let now = now(real: real)
        var events: [DeliveryEvent] = []
        self[environment].keep(slot)
        body(&self[environment][slot], now, limits, &events)
        for event in events { journal.add(event.life, to: event.delivery.sequence) }
        return (self[environment][slot], events)
    }
}

extension DeviceToken {
    /// 32 random bytes.
    fileprivate static func random(using generator: inout SeededGenerator) -> DeviceToken {
        while true {
            let digits = (0..<4).map { _ in
                let digits = String(generator.next(), radix: 16)
                return String(repeating: "0", count: 16 - digits.count) + digits
            }
            if let token = DeviceToken(digits.joined()) { return token }
        }
    }
}
