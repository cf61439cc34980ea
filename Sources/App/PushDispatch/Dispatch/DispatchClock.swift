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

/// The system's monotonic clock, which a change of the date does not affect.
public struct SystemDispatchClock: DispatchClock {
    public init() {}

    public func now() -> DispatchMoment {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return DispatchMoment(milliseconds: Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000)
    }

    public func sleep(until moment: DispatchMoment) async throws {
        let milliseconds = max(0, moment.milliseconds(since: now()))
        let (nanoseconds, overflow) = UInt64(milliseconds).multipliedReportingOverflow(by: 1_000_000)
        // At most half of the range, 292 years: adding it to the current time cannot overflow.
        try await Task.sleep(nanoseconds: overflow ? .max / 2 : min(nanoseconds, .max / 2))
    }
}
