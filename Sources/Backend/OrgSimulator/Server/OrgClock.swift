package import SelectiveSync

/// The org's time. Each call passes the machine's time in; a manual clock ignores it and stands still until it is
/// moved.
package struct OrgClock: Hashable, Sendable {
    package private(set) var isManual = false
    /// For a real clock the difference to the machine's time, for a manual clock the time itself.
    private var offset: Int64 = 0

    package init() {}

    package static func manual(at now: ServerDate) -> OrgClock {
        var clock = OrgClock()
        clock.set(isManual: true, to: now, real: now)
        return clock
    }

    /// The years 1970 to 9999, which every date format supports. Times outside are clamped.
    package static let range: ClosedRange<Int64> = 0...253_402_300_799_999

    package func now(real: ServerDate) -> ServerDate {
        OrgClock.inRange(
            isManual ? offset : OrgClock.inRange(real.millisecondsSince1970).millisecondsSince1970 + offset)
    }

    /// - Parameter now: Nil keeps the org's time if the clock becomes manual, and takes the machine's time if it
    ///   becomes real.
    package mutating func set(isManual: Bool, to now: ServerDate?, real: ServerDate) {
        let time = OrgClock.inRange((now ?? (isManual ? self.now(real: real) : real)).millisecondsSince1970)
        self.isManual = isManual
        let machine = OrgClock.inRange(real.millisecondsSince1970).millisecondsSince1970
        offset = isManual ? time.millisecondsSince1970 : time.millisecondsSince1970 - machine
    }

    /// Moves the time; a negative number moves it back.
    package mutating func advance(byMilliseconds milliseconds: Int64, real: ServerDate) {
        set(isManual: isManual, to: now(real: real).adding(milliseconds: milliseconds), real: real)
    }

    private static func inRange(_ milliseconds: Int64) -> ServerDate {
        ServerDate(millisecondsSince1970: min(max(milliseconds, range.lowerBound), range.upperBound))
    }
}
