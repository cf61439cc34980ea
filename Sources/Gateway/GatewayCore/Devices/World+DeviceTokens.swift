package import APNSModel

extension World {
    /// Gives the app of a device token a new one, which it reports at once. The old one ends as with an uninstall.
    ///
    /// - Parameter noticed: How much later the gateway learns that the old device token has ended, in milliseconds; nil
    ///   uses `unregisteredDelay`.
    /// - Returns: The devices of both device tokens; nil when there is no such device.
    package mutating func changeToken(
        of token: DeviceToken, in environment: APNSEnvironment, by change: DeviceTokenChange,
        noticedAfter noticed: Int64? = nil, real: Int64
    ) throws(RegistrationError) -> (old: Device, new: Device, events: [DeliveryEvent])? {
        guard let known = device(token, in: environment) else { return nil }
        if let successor = known.successor { throw .tokenReplaced(by: successor) }
        self[environment].keepDevice(token)
        let maximum = maximumDevices(in: environment)
        guard self[environment].canAdd(maximum, forgetting: true) else {
            throw isMemoryFull ? .memoryFull : .full("devices", maximum)
        }
        var next = DeviceToken.random(using: &generator)
        while self[environment].slot(of: next) != nil { next = DeviceToken.random(using: &generator) }

        let uninstalled = uninstall(token, in: environment, noticedAfter: noticed, real: real)
        let now = now(real: real)
        let (slot, forgotten) = self[environment].add(
            next, environment: environment, kind: known.kind, topic: known.topic, isImplicit: false, at: now,
            maximum: maximum)
        self[environment][slot].predecessor = token
        self[environment][slot].inherit(from: known, by: change)
        setWakeUp(slot, in: environment)
        guard let oldSlot = self[environment].slot(of: token) else { return nil }
        self[environment][oldSlot].successor = next
        let lost = forgotten?.eventsOfForgetting(at: now, maximum) ?? []
        for event in lost { journal.add(event.life, to: event.delivery.sequence) }
        return (
            self[environment][oldSlot], self[environment][slot], (uninstalled?.events ?? []) + lost
        )
    }
}

extension DeviceTable {
    fileprivate mutating func keepDevice(_ token: DeviceToken) {
        if let slot = slot(of: token) { keep(slot) }
    }
}

extension Device {
    fileprivate mutating func inherit(from old: Device, by change: DeviceTokenChange) {
        budget = old.budget
        switch change {
        case .reinstall:
            isOnline = old.isOnline
            backAt = old.backAt
            isAwake = old.isAwake
            isInLowPower = old.isInLowPower
            isInLowData = old.isInLowData
        case .restore:
            allowsBackgroundRefresh = old.allowsBackgroundRefresh
            allowsNotifications = old.allowsNotifications
        }
    }
}
