package import APNSModel
package import GatewayCore
package import GatewayJSON

/// For the control API and the clock.
extension LiveWorld {
    package func now() -> Int64 { read { world, real in world.now(real: real) } }

    /// Does what the passing of time does, where anything is due.
    package func passTimeIfDue() {
        if read({ world, real in world.now(real: real) >= world.nextChange }) { passTime() }
    }

    /// Does what the passing of time does, and has the shell told of what is due next.
    package func passTime() {
        change { shared, real in
            shared.alarm = .max
            guard shared.outbox?.failure == nil, shared.world.now(real: real) >= shared.world.nextChange else { return }
            let expired = shared.world.expireStored(real: real)
            shared.publish(expired, real)
            shared.tellEndedFaults(real)
        }
    }

    package func setClock(_ mode: WorldClock.Mode?, to now: Int64?) {
        let distance = change { shared, real in
            let mode = mode ?? shared.world.clock.mode
            let before = shared.world.now(real: real)
            let expired = shared.world.setClock(mode, to: now, real: real)
            shared.alarm = .max
            shared.publish(expired, real)
            shared.tellEndedFaults(real)
            let moved = shared.world.now(real: real)
            shared.tell(.clock(mode, now: moved), real)
            return moved - before
        }
        tellClockMoved(by: distance)
    }

    package func advanceClock(by milliseconds: Int64) {
        let distance = change { shared, real in
            let before = shared.world.now(real: real)
            let expired = shared.world.advanceClock(by: milliseconds, real: real)
            shared.alarm = .max
            shared.publish(expired, real)
            shared.tellEndedFaults(real)
            let mode = shared.world.clock.mode
            let moved = shared.world.now(real: real)
            shared.tell(.clock(mode, now: moved), real)
            return moved - before
        }
        tellClockMoved(by: distance)
    }

    package func clock() -> (mode: WorldClock.Mode, now: Int64) {
        read { world, real in (world.clock.mode, world.now(real: real)) }
    }

    package func add(_ rule: FaultRule) throws(RegistrationError) -> ActiveFault {
        try change { (shared, real) throws(RegistrationError) in
            let fault = try shared.world.add(rule, real: real)
            shared.tellEndedFaults(real)
            shared.tell(.fault(.added, fault), real)
            return fault
        }
    }

    /// - Returns: Whether there was such a rule.
    package func removeFault(_ id: String) -> Bool {
        let isRemoved = change { shared, real in
            guard let fault = shared.world.removeFault(id) else { return false }
            shared.tell(.fault(.removed, fault), real)
            return true
        }
        if isRemoved { tellFaultsRemoved(id) }
        return isRemoved
    }

    package func removeFaults() {
        change { shared, real in
            for fault in shared.world.removeFaults() { shared.tell(.fault(.removed, fault), real) }
        }
        tellFaultsRemoved(nil)
    }

    package func register(_ registration: DeviceRegistration) throws(RegistrationError) -> Device {
        try change { (shared, real) throws(RegistrationError) in
            let device = try shared.world.register(registration, real: real)
            shared.tell(.device(.registered, device), real)
            return device
        }
    }

    package func register(_ app: RegisteredApp) throws(RegistrationError) {
        try change { (shared, real) throws(RegistrationError) in
            try shared.world.register(app)
            shared.tell(.app(app), real)
        }
    }

    package func register(_ key: ProviderKey) throws(RegistrationError) {
        try change { (shared, real) throws(RegistrationError) in
            try shared.world.register(key)
            shared.tell(.key(key), real)
        }
    }

    /// - Returns: Whether there was such a key that was not revoked yet.
    package func revokeKey(_ keyID: String) -> Bool {
        change { shared, real in
            guard shared.world.revokeKey(keyID) else { return false }
            if let key = shared.world.registeredKeys.first(where: { $0.keyID == keyID }) {
                shared.tell(.key(key), real)
            }
            return true
        }
    }

    /// Changes how the world behaves, all at once.
    package func changeSettings<Failure>(_ body: (inout WorldSettings) throws(Failure) -> Void) throws(Failure) {
        try change { (shared, real) throws(Failure) in
            var settings = shared.world.settings
            try body(&settings)
            let isOther = settings != shared.world.settings
            let events = shared.world.change(to: settings, real: real)
            if isOther { shared.tell(.settings(settings), real) }
            shared.publish(events, real)
        }
    }

    /// Nil when there is no such device.
    package func patch(_ token: DeviceToken, in environment: APNSEnvironment, _ patch: DevicePatch) -> Device? {
        change { shared, real in
            let patched = shared.world.patch(token, in: environment, patch, real: real)
            return shared.tell(.changed, patched, real)
        }
    }

    /// The same with the channels that the device is to subscribe to; nil leaves them as they are. Where it may not
    /// subscribe to one of them, nothing changes.
    package func patch(
        _ token: DeviceToken, in environment: APNSEnvironment, _ patch: DevicePatch, channels: [String]?
    ) throws(RegistrationError) -> Device? {
        guard let channels else { return self.patch(token, in: environment, patch) }
        return try change { (shared, real) throws(RegistrationError) in
            _ = try shared.world.channelsFor(token, in: environment, channels)
            guard let patched = shared.world.patch(token, in: environment, patch, real: real) else { return nil }
            shared.publish(patched.events, real)
            let subscribed = try shared.world.subscribe(token, in: environment, to: channels, real: real)
            return shared.tell(.changed, subscribed, real)
        }
    }

    /// Nil when there is no such device.
    package func uninstall(
        _ token: DeviceToken, in environment: APNSEnvironment, noticedAfter noticed: Int64? = nil
    ) -> Device? {
        change { shared, real in
            let uninstalled = shared.world.uninstall(token, in: environment, noticedAfter: noticed, real: real)
            return shared.tell(.uninstalled, uninstalled, real)
        }
    }

    /// Gives the app a new device token, and its listeners that of the device to listen to now. Nil when there is no such
    /// device.
    package func changeToken(
        of token: DeviceToken, in environment: APNSEnvironment, by change: TokenChange, noticedAfter noticed: Int64?
    ) throws(RegistrationError) -> Device? {
        try self.change { (shared, real) throws(RegistrationError) in
            let changed = try shared.world.changeToken(
                of: token, in: environment, by: change, noticedAfter: noticed, real: real)
            guard let (old, new, events) = changed else { return nil }
            shared.tell(.device(.uninstalled, old), real)
            shared.publish(events, real)
            shared.tell(.device(.registered, new), real)
            shared.subscribers.move(token, in: environment, to: new.token)
            return new
        }
    }

    package func deleteNotifications() {
        change { shared, real in
            shared.world.deleteNotifications()
            shared.lookAgain()
            shared.tell(.journalEmptied, real)
        }
    }

    /// Tells of something that happened outside of the world.
    package func tell(_ event: GatewayEvent) { change { shared, real in shared.tell(event, real) } }

    /// Everything back to the state at start. The devices' listeners are disconnected, and webhooks that were added go once
    /// they are told of it.
    package func reset() {
        change { shared, real in
            shared.world.reset(real: real)
            shared.alarm = .max
            shared.subscribers.endDevices()
            shared.lookAgain()
            shared.tell(.reset, real)
            shared.whenStored { isStored in
                if isStored { self.webhooks.removeAdded(of: self) }
            }
        }
        tellClockMoved(by: 0, isReset: true)
    }
}
