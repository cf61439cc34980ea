import APNSModel

/// A tenant whose pushes go out slowly, or not at all, would fill the window, and those of others would not get into it.
extension WorkerCore {
    /// A tenant whose outcomes take longer may hold half of the window, and no more.
    private static let slowSeconds = 2.0
    private static let longestSeconds = 30.0

    /// How long pushes of a tenant wait in the engine, because the tenant holds more than half of the window and sends slowly;
    /// nil where the window takes them. Meanwhile a part of what the tenant holds goes out.
    mutating func crowdedWait(_ tenant: Int, at now: MonotonicTime) -> Duration? {
        guard tenants.count > 1, !settings.isOnce else { return nil }
        let inFlight = tenants[tenant].inFlight
        guard waitingCount(of: tenant) + inFlight > settings.window / 2 else { return nil }
        if isBlocked(tenant) {
            // If the host is gone for all, nobody needs the space.
            return hosts[tenants[tenant].host].failed == tenant ? blockedWait(tenant, at: now) : nil
        }
        let seconds = inFlight > 0 ? tenants[tenant].answers.seconds(at: now) : 0
        guard seconds > WorkerCore.slowSeconds else { return nil }
        return Duration.seconds(min(2 * seconds, WorkerCore.longestSeconds)) * (1 + randomPart() / 5)
    }

    /// Once the window is full: returns to the engine what waits of a tenant that holds more than half of it and sends slowly.
    mutating func makeRoom(at now: MonotonicTime) {
        guard tenants.count > 1, isAlmostFull(waiting + inFlight, of: settings.window), now >= nextCrowdCheck else {
            return
        }
        nextCrowdCheck = now + .seconds(1)
        for tenant in tenants.indices {
            guard let wait = crowdedWait(tenant, at: now) else { continue }
            return deferWaiting(tenant, for: wait, why: crowdedWhy(tenant), at: now)
        }
    }

    /// Whether so little of a limit is left that it is not worth a call of the engine.
    func isAlmostFull(_ used: Int, of limit: Int) -> Bool { (limit - used) * 16 < limit }

    func crowdedWhy(_ tenant: Int) -> String {
        "the tenant \(tenants[tenant].settings.label) sends slowly and has more than half of the window, so this push waits"
    }

    /// Why nothing is sent for a tenant, with what opened its circuit or the breaker of its host.
    func blockedWhy(_ tenant: Int) -> String {
        let state = tenants[tenant]
        let cause = state.circuit.isClosed ? hosts[state.host].cause : state.cause
        return "nothing is sent for the tenant \(state.settings.label) now" + (cause.isEmpty ? "" : ": \(cause)")
    }
}
