import Foundation

/// The clock of a dispatcher. A test can supply one that it moves itself.
public protocol DispatchClock: Sendable {
    func now() -> DispatchMoment

    /// Returns when `moment` is reached, immediately if it is past. Throws when the task is cancelled.
    func sleep(until moment: DispatchMoment) async throws

    /// Sets a time limit for running work: calls `action` when `moment` is reached, unless the returned task is
    /// cancelled before.
    ///
    /// The limit is set when this returns. A test's clock may skip the time of a sleep, but not the time until a limit.
    ///
    /// - Parameter action: Returns whether it stopped any work.
    func schedule(at moment: DispatchMoment, _ action: @escaping @Sendable () async -> Bool) -> Task<Void, Never>
}

extension DispatchClock {
    public func schedule(
        at moment: DispatchMoment, _ action: @escaping @Sendable () async -> Bool
    ) -> Task<Void, Never> {
        Task {
            guard (try? await sleep(until: moment)) != nil else { return }
            _ = await action()
        }
    }
}

/// A monotonic clock of the system, which a change of the date does not affect.
public struct SystemDispatchClock: DispatchClock {
    public enum Kind: Hashable, Sendable, CaseIterable {
        /// Goes on while the device sleeps. For what somebody outside measures: the system's time for a push, the wait that a
        /// server demands. The default.
        case continuous
        /// Stops while the device sleeps. For how long the device itself may work or wait: no answer can come while it
        /// sleeps, so that a request is not given up because of that time.
        case awake
    }

    private let kind: Kind

    public init(_ kind: Kind = .continuous) { self.kind = kind }

    public func now() -> DispatchMoment {
        var time = timespec()
        clock_gettime(kind.identifier, &time)
        return DispatchMoment(milliseconds: Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000)
    }

    /// A sleep that the device's own sleep interrupts ends at most five seconds after the device has woken.
    public func sleep(until moment: DispatchMoment) async throws {
        try await SystemDispatchClock.sleep(until: moment, now: now) { try await Task.sleep(nanoseconds: $0) }
    }

    /// The system's 30 seconds for a push are longer than the usual budget by this much.
    static let longestPartMilliseconds: Int64 = 5_000

    /// The system's sleep stops while the device sleeps, so this sleeps in parts and reads the clock after each.
    static func sleep(
        until moment: DispatchMoment, now: () -> DispatchMoment, part: (_ nanoseconds: UInt64) async throws -> Void
    ) async throws {
        var left = moment.milliseconds(since: now())
        repeat {
            try await part(UInt64(max(0, min(left, longestPartMilliseconds))) * 1_000_000)
            left = moment.milliseconds(since: now())
        } while left > 0
    }
}

extension SystemDispatchClock.Kind {
    /// On Apple's systems the clock called monotonic goes on in sleep, on Linux it does not.
    var identifier: clockid_t {
        #if canImport(Darwin)
            switch self {
            case .continuous: CLOCK_MONOTONIC
            case .awake: CLOCK_UPTIME_RAW
            }
        #else
            switch self {
            case .continuous: CLOCK_BOOTTIME
            case .awake: CLOCK_MONOTONIC
            }
        #endif
    }
}
