/// The virtual time of a play, in milliseconds since it began, and who waits for it.
///
/// While a request is under way it runs with real time. Otherwise it stands still until it is moved.
///
/// It does no I/O: real time is passed in. Continuations and closures of sleepers are the caller's to resume.
package struct PlayTime: Sendable {
    /// The virtual time at `runningSince`, or now if it stands still.
    private var base: Int64 = 0
    /// The real time since which it runs.
    private var runningSince: Int64?
    private(set) var requestsUnderWay = 0
    private var sleepers: [Int: Int64] = [:]
    private var lastSleeper = 0

    package init() {}

    package func now(real: Int64) -> Int64 { base + (runningSince.map { max(0, real - $0) } ?? 0) }

    package var isRunning: Bool { runningSince != nil }

    package mutating func requestBegan(real: Int64) {
        if requestsUnderWay == 0 { runningSince = real }
        requestsUnderWay += 1
    }

    package mutating func requestEnded(real: Int64) {
        requestsUnderWay -= 1
        guard requestsUnderWay == 0 else { return }
        base = now(real: real)
        runningSince = nil
    }

    // Sleepers.

    /// - Returns: The number of the sleeper; nil if the moment has come already.
    package mutating func sleep(until moment: Int64, real: Int64) -> Int? {
        guard moment > now(real: real) else { return nil }
        lastSleeper += 1
        sleepers[lastSleeper] = moment
        return lastSleeper
    }

    /// - Returns: Whether it slept.
    package mutating func wake(_ sleeper: Int) -> Bool { sleepers.removeValue(forKey: sleeper) != nil }

    /// Takes those whose moment has come, the earliest first.
    package mutating func takeDue(real: Int64) -> [Int] {
        let now = now(real: real)
        let due = sleepers.filter { $0.value <= now }.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map(\.key)
        for sleeper in due { sleepers[sleeper] = nil }
        return due
    }

    /// The real time at which the next sleeper is due or `end` is reached; nil if time stands still, or for neither.
    package func nextDue(orAt end: Int64?) -> Int64? {
        guard let runningSince, let next = [sleepers.values.min(), end].compactMap({ $0 }).min() else { return nil }
        let (sum, overflow) = runningSince.addingReportingOverflow(max(0, next - base))
        return overflow ? nil : sum
    }

    /// Moves a time that stands still to the next sleeper, or to `end` if that comes first.
    package mutating func move(upTo end: Int64) {
        guard runningSince == nil else { return }
        base = max(base, min(end, sleepers.values.min() ?? end))
    }
}
