package import APNSModel
package import GatewayCore
import GatewayJSON
import Synchronization
import SystemFiles

/// What the control API and the clock call.
extension LiveWorld {
    package func now() -> Int64 { read { world, real in world.now(real: real) } }

    /// Processes due events, if there are any.
    package func passTimeIfDue() {
        if read({ world, real in world.now(real: real) >= world.nextChange }) { passTime() }
    }

    /// Processes due events, and reports to the delegate when something is due next.
    package func passTime() {
        change { state, real in
            state.forgetReportedDue()
            guard state.outbox?.failure == nil, state.world.now(real: real) >= state.world.nextChange else { return }
            let expired = state.world.expireStored(real: real)
            state.publishLife(expired, real)
            state.publishEndedFaults(real)
        }
    }

    /// - Parameters:
    ///   - mode: Nil keeps the mode.
    ///   - now: Nil keeps the time.
    package func setClock(_ mode: WorldClock.Mode?, to now: Int64?) {
        changeClock { world, real in world.setClock(mode ?? world.clock.mode, to: now, real: real) }
    }

    package func advanceClock(by milliseconds: Int64) {
        changeClock { world, real in world.advanceClock(by: milliseconds, real: real) }
    }

    private func changeClock(_ body: (inout World, _ real: Int64) -> [DeliveryEvent]) {
        let distance = change { state, real in
            let before = state.world.now(real: real)
            let expired = body(&state.world, real)
            state.forgetReportedDue()
            state.publishLife(expired, real)
            state.publishEndedFaults(real)
            let (mode, now) = (state.world.clock.mode, state.world.now(real: real))
            state.publish(.clock(mode, now: now), real)
            return now - before
        }
        reportClockChange(by: distance)
    }

    package func clock() -> (mode: WorldClock.Mode, now: Int64) {
        read { world, real in (world.clock.mode, world.now(real: real)) }
    }

    package func add(_ rule: FaultRule) throws(RegistrationError) -> ActiveFault {
        try change { (state, real) throws(RegistrationError) in
            let fault = try state.world.add(rule, real: real)
            state.publishEndedFaults(real)
            state.publish(.fault(.added, fault), real)
            return fault
        }
    }

    /// - Returns: Whether there was such a rule.
    package func removeFault(_ id: String) -> Bool {
        let isRemoved = change { state, real in
            guard let fault = state.world.removeFault(id) else { return false }
            state.publish(.fault(.removed, fault), real)
            return true
        }
        if isRemoved { reportFaultRulesRemoved(id) }
        return isRemoved
    }

    package func removeFaults() {
        change { state, real in
            for fault in state.world.removeFaults() { state.publish(.fault(.removed, fault), real) }
        }
        reportFaultRulesRemoved(nil)
    }

    package func register(_ registration: DeviceRegistration) throws(RegistrationError) -> Device {
        try change { (state, real) throws(RegistrationError) in
            let device = try state.world.register(registration, real: real)
            state.publish(.device(.registered, device.withoutHistory), real)
            return device
        }
    }

    package func register(_ app: RegisteredApp) throws(RegistrationError) {
        try change { (state, real) throws(RegistrationError) in
            try state.world.register(app)
            state.publish(.app(app), real)
        }
    }

    package func register(_ key: ProviderKey) throws(RegistrationError) {
        try change { (state, real) throws(RegistrationError) in
            try state.world.register(key)
            state.publish(.key(key), real)
        }
    }

    /// - Returns: Whether there was such a key that was not revoked yet.
    package func revokeKey(_ keyID: String) -> Bool {
        change { state, real in
            guard state.world.revokeKey(keyID) else { return false }
            if let key = state.world.registeredKeys.first(where: { $0.keyID == keyID }) {
                state.publish(.key(key), real)
            }
            return true
        }
    }

    /// Changes how the world behaves, all at once.
    package func changeSettings<Failure>(_ body: (inout WorldSettings) throws(Failure) -> Void) throws(Failure) {
        try change { (state, real) throws(Failure) in
            var settings = state.world.settings
            try body(&settings)
            let isOther = settings != state.world.settings
            let events = state.world.change(to: settings, real: real)
            if isOther { state.publish(.settings(settings), real) }
            state.publishLife(events, real)
        }
    }

    /// Nil when there is no such device.
    package func patch(_ token: DeviceToken, in environment: APNSEnvironment, _ patch: DevicePatch) -> Device? {
        change { state, real in
            let patched = state.world.patch(token, in: environment, patch, real: real)
            return state.publish(.changed, patched, real)
        }
    }

    /// The same, and subscribes the device to exactly these channels; nil changes no subscription. If the device may not
    /// subscribe to one of them, nothing changes.
    package func patch(
        _ token: DeviceToken, in environment: APNSEnvironment, _ patch: DevicePatch, channels: [String]?
    ) throws(RegistrationError) -> Device? {
        guard let channels else { return self.patch(token, in: environment, patch) }
        return try change { (state, real) throws(RegistrationError) in
            _ = try state.world.channelsFor(token, in: environment, channels)
            guard let patched = state.world.patch(token, in: environment, patch, real: real) else { return nil }
            state.publishLife(patched.events, real)
            let subscribed = try state.world.subscribe(token, in: environment, to: channels, real: real)
            return state.publish(.changed, subscribed, real)
        }
    }

    /// Nil when there is no such device.
    package func uninstall(
        _ token: DeviceToken, in environment: APNSEnvironment, noticedAfter noticed: Int64? = nil
    ) -> Device? {
        change { state, real in
            let uninstalled = state.world.uninstall(token, in: environment, noticedAfter: noticed, real: real)
            return state.publish(.uninstalled, uninstalled, real)
        }
    }

    /// Gives the app a new device token, and passes it on to the subscribers of the old one. Nil when there is no such
    /// device.
    package func changeToken(
        of token: DeviceToken, in environment: APNSEnvironment, by change: DeviceTokenChange,
        noticedAfter noticed: Int64?
    ) throws(RegistrationError) -> Device? {
        try self.change { (state, real) throws(RegistrationError) in
            let changed = try state.world.changeToken(
                of: token, in: environment, by: change, noticedAfter: noticed, real: real)
            guard let (old, new, events) = changed else { return nil }
            state.publish(.device(.uninstalled, old.withoutHistory), real)
            state.publishLife(events, real)
            state.publish(.device(.registered, new), real)
            state.subscribers.move(token, in: environment, to: new.token)
            return new
        }
    }

    package func deleteNotifications() {
        change { state, real in
            state.world.deleteNotifications()
            state.journalChanged()
            state.publish(.journalEmptied, real)
        }
    }

    /// Publishes something that happened outside of the world.
    func publish(_ event: GatewayEvent) { change { state, real in state.publish(event, real) } }

    /// Brings everything back to the state at start. Subscriptions of devices end, and webhooks that were added since are
    /// removed after they have posted the reset. The lock is held only to exchange the two states.
    package func reset() {
        exchange.withLock { _ in resetAlone() }
        reportClockChange(by: 0, isReset: true)
    }

    private func resetAlone() {
        let fresh = World(resetting: read { world, _ in world.start }, real: WallClock.milliseconds)
        change { state, real in
            let former = state.world
            state.world.reset(to: fresh)
            // What it held is freed without the lock.
            state.afterUnlock { withExtendedLifetime(former) {} }
            state.forgetReportedDue()
            state.subscribers.endDevices()
            state.journalChanged()
            state.publish(.reset, real)
            state.whenStored { isStored in
                if isStored { self.webhooks.removeAdded(of: self) }
            }
        }
    }
}
