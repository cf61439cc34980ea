/// The time of a simulated service in milliseconds since 1970. Each call passes the machine's time in; a manual clock ignores it and
/// stands still until it is moved.
package struct ServiceClock: Hashable, Sendable, Codable {
    package private(set) var isManual = false
    /// For a real clock the difference to the machine's time, for a manual clock the time itself.
    private var offset: Int64 = 0

    package init() {}

    package static func manual(at now: Int64) -> ServiceClock {
        var clock = ServiceClock()
        clock.set(isManual: true, to: now, real: now)
        return clock
    }

    /// The years 1970 to 9999. Times outside are clamped.
    package static let range: ClosedRange<Int64> = 0...253_402_300_799_999

    package func now(real: Int64) -> Int64 {
        ServiceClock.clamp(isManual ? offset : ServiceClock.clamp(real) + offset)
    }

    /// - Parameter now: Nil keeps the service's time if the clock becomes manual, and takes the machine's time if it
    ///   becomes real.
    package mutating func set(isManual: Bool, to now: Int64?, real: Int64) {
        let time = ServiceClock.clamp(now ?? (isManual ? self.now(real: real) : real))
        self.isManual = isManual
        offset = isManual ? time : time - ServiceClock.clamp(real)
    }

    /// Moves the time; a negative number moves it back.
    package mutating func advance(by milliseconds: Int64, real: Int64) {
        let (sum, overflow) = now(real: real).addingReportingOverflow(milliseconds)
        set(isManual: isManual, to: overflow ? (milliseconds < 0 ? 0 : ServiceClock.range.upperBound) : sum, real: real)
    }

    private static func clamp(_ time: Int64) -> Int64 { min(max(time, range.lowerBound), range.upperBound) }
}
