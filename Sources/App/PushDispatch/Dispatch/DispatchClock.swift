import Foundation

/// Where a dispatcher gets the time from; a test brings a clock that it moves by hand.
public protocol DispatchClock: Sendable {
    func now() -> DispatchMoment

    /// Returns once `moment` is reached, at once if it is past. Throws when the task is cancelled.
    func sleep(until moment: DispatchMoment) async throws

    /// Acts once `moment` is reached, unless the task that it returns is cancelled before: a limit for work that is under
    /// way. It is set when this returns.
    ///
    /// A clock of a test may let the time of a sleep pass at once, because then there is nothing else to do; the time of a
    /// limit it may not.
    ///
    /// - Parameter action: Returns whether there was still work to limit.
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

/// The machine's clock, which no change of the date moves.
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
        // Half of the range, 292 years, is as good as for ever and safe to add to any start.
        try await Task.sleep(nanoseconds: overflow ? .max / 2 : min(nanoseconds, .max / 2))
    }
}
