package import APNSModel

extension World {
    /// Registers a device, or reports a registered device token again; an uninstalled one then becomes active.
    package mutating func register(
        _ registration: DeviceRegistration, real: Int64
    ) throws(RegistrationError) -> Device {
        let device = try add(registration, real: real)
        guard registration.state != DevicePatch() || !registration.isInstalled else { return device }
        let patched = patch(device.token, in: device.environment, registration.state, real: real)
        guard !registration.isInstalled else { return patched?.device ?? device }
        return uninstall(device.token, in: device.environment, real: real)?.device ?? device
    }

    private mutating func add(
        _ registration: DeviceRegistration, real: Int64
    ) throws(RegistrationError) -> Device {
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
                self[environment][slot].reportAgain(at: now)
            } else {
                guard known.isImplicit else { throw .deviceTokenTaken(topic: known.topic.value) }
                var events: [DeliveryEvent] = []
                var former = self[environment].replace(slot, kind: kind, topic: topic, at: now)
                former.dropWaiting("its device token was registered for the topic \(topic)", at: now, into: &events)
                for event in events { journal.add(event.life, to: event.delivery.sequence) }
            }
            return self[environment][slot]
        }
        let maximum = maximumDevices(in: environment)
        guard self[environment].canAdd(maximum, forgetting: true) else {
            throw isMemoryFull ? .memoryFull : .full("devices", maximum)
        }
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
        (self[environment].count, self[environment].devices(after: ordinal, limit: max(0, limit)))
    }

    /// Changes a device; nil if there is none. What is stored for a device that comes online is delivered.
    package mutating func patch(
        _ token: DeviceToken, in environment: APNSEnvironment, _ patch: DevicePatch, real: Int64
    ) -> (device: Device, events: [DeliveryEvent])? {
        modify(token, in: environment, real: real) { device, now, rules, events in
            if let isAwake = patch.isAwake { device.isAwake = isAwake }
            if let isInLowPower = patch.isInLowPower { device.isInLowPower = isInLowPower }
            if let isInLowData = patch.isInLowData { device.isInLowData = isInLowData }
            if let allows = patch.allowsBackgroundRefresh { device.allowsBackgroundRefresh = allows }
            if let allows = patch.allowsNotifications { device.allowsNotifications = allows }
            if let budget = patch.budget {
                device.budget = budget
                device.budgetUse = BudgetUse()
            }
            if let expiresAt = patch.expiresAt { device.expiresAt = expiresAt == .max ? nil : expiresAt }
            switch patch.appState {
            case .forceQuit?: device.forceQuit(at: now, into: &events)
            case .terminated? where rules.dropsHeldAtTermination: device.terminate(at: now, into: &events)
            case let appState?: device.appState = appState
            case nil: break
            }
            switch patch.isOnline {
            case true? where !device.isOnline: device.goOnline(at: now, rules, into: &events)
            case true?: device.backAt = nil
            case false?: device.goOffline(until: nil, at: now, into: &events)
            case nil: break
            }
            device.settle(at: now, rules, into: &events)
        }
    }

    /// Removes the app from the device: later sends get `Unregistered`, after `unregisteredDelay`.
    ///
    /// A second uninstall changes nothing.
    ///
    /// - Parameter noticed: How much later the gateway learns of it, in milliseconds; nil uses the setting.
    /// - Returns: Nil when there is no such device.
    package mutating func uninstall(
        _ token: DeviceToken, in environment: APNSEnvironment, noticedAfter noticed: Int64? = nil, real: Int64
    ) -> (device: Device, events: [DeliveryEvent])? {
        endSubscriptions(of: token, in: environment)
        return modify(token, in: environment, real: real) { device, now, _, events in
            device.uninstall(noticedAt: noticed.map { now + $0 }, at: now, into: &events)
        }
    }

    /// A listener connects to receive the deliveries of a device.
    ///
    /// What was stored for the device comes as `events`. Send them to all listeners of the device, this one included,
    /// **after** sending `resumption` to this one.
    ///
    /// - Parameter lastID: The `apns-unique-id` of the last delivery that it has. With it, an interrupted connection resumes
    ///   without a gap; without it, the device gets only the newest of what was stored.
    /// - Returns: Nil when there is no such device.
    package mutating func subscribe(
        _ token: DeviceToken, in environment: APNSEnvironment, after lastID: String? = nil, real: Int64
    ) -> (resumption: Resumption, events: [DeliveryEvent])? {
        guard let resumption = deliveries(to: token, in: environment, since: lastID) else { return nil }
        let modified = modify(token, in: environment, real: real) { device, now, rules, events in
            device.expireWaiting(at: now, into: &events)
            if lastID == nil { device.keepNewestWaiting(at: now, into: &events) }
            let isResumed = device.connection == .interrupted && lastID != nil
            let isFirst = device.listeners == 0
            device.connection = .connected(listeners: device.listeners + 1)
            if isFirst { device.settle(inOrder: isResumed, at: now, rules, into: &events) }
        }
        return modified.map { (resumption, $0.events) }
    }

    /// A listener that `subscribe` counted has disconnected.
    package mutating func unsubscribe(_ token: DeviceToken, in environment: APNSEnvironment, real: Int64) {
        _ = modify(token, in: environment, real: real) { device, _, _, _ in
            guard case .connected(let listeners) = device.connection else { return }
            device.connection =
                listeners > 1 ? .connected(listeners: listeners - 1) : device.isOnline ? .interrupted : .none
            if listeners == 1 { device.endHolds() }
        }
    }

    /// What reached a device after the delivery `lastID`; nothing for nil. Nil if there is no such device.
    package func deliveries(
        to token: DeviceToken, in environment: APNSEnvironment, since lastID: String?
    ) -> Resumption? {
        guard let device = device(token, in: environment) else { return nil }
        guard let lastID else { return Resumption(deliveries: [], isComplete: true) }
        guard let last = device.history.lastIndex(where: { $0.id == UniqueID(lastID) }) else {
            return Resumption(deliveries: Array(device.history), isComplete: false)
        }
        return Resumption(deliveries: Array(device.history[(last + 1)...]), isComplete: true)
    }

    /// Changes a device, which from then on is not removed in favour of another.
    mutating func modify(
        _ token: DeviceToken, in environment: APNSEnvironment, real: Int64,
        _ body: (inout Device, _ now: Int64, DeliveryRules, inout [DeliveryEvent]) -> Void
    ) -> (device: Device, events: [DeliveryEvent])? {
        guard let slot = self[environment].slot(of: token) else { return nil }
        let now = now(real: real)
        var events = now >= nextExpiry ? passTime(to: now) : []
        let first = events.count
        self[environment].keep(slot)
        body(&self[environment][slot], now, deliveryRules, &events)
        for event in events[first...] { journal.add(event.life, to: event.delivery.sequence) }
        setWakeUp(slot, in: environment)
        return (self[environment][slot], events)
    }
}

extension Device {
    /// The app reported the device token once more.
    fileprivate mutating func reportAgain(at now: Int64) {
        registration = .active
        noticedAt = nil
        successor = nil
        if let expiresAt, expiresAt <= now { self.expiresAt = nil }
        registeredAt = now
    }
}

extension DeviceToken {
    /// 32 random bytes.
    static func random(using generator: inout SeededGenerator) -> DeviceToken {
        while true {
            let digits = (0..<4).map { _ in
                let digits = String(generator.next(), radix: 16)
                return String(repeating: "0", count: 16 - digits.count) + digits
            }
            if let token = DeviceToken(digits.joined()) { return token }
        }
    }
}
