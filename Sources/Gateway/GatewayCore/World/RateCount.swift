/// Counts the requests of one period against a limit.
struct RateCount: Hashable, Sendable, Codable {
    private(set) var periodStart: Int64 = 0
    private(set) var count = 0

    /// Counts one more; false when the limit of the period is reached.
    ///
    /// - Parameter now: Milliseconds since 1970.
    mutating func counts(against rate: WorldSettings.DeviceRate, at now: Int64) -> Bool {
        if now < periodStart || now - periodStart >= rate.period {
            periodStart = now
            count = 0
        }
        guard count < rate.count else { return false }
        count += 1
        return true
    }
}
