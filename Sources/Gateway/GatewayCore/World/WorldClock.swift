/// The clock of a world. All times are milliseconds since 1970-01-01 UTC.
///
/// The caller passes the machine's time with each call; a manual clock ignores it and stands still until it is moved.
package struct WorldClock: Hashable, Sendable, Codable {
    package enum Mode: String, Hashable, Sendable, Codable {
        case real, manual
    }

    package private(set) var mode: Mode
    /// For a real clock the difference to the machine's time; for a manual one the time.
    private var offset: Int64

    private init(mode: Mode, offset: Int64) {
        self.mode = mode
        self.offset = offset
    }

    /// The machine's time as it is.
    package static let real = WorldClock(mode: .real, offset: 0)

    package static func manual(at now: Int64) -> WorldClock {
        WorldClock(mode: .manual, offset: inRange(now))
    }

    /// From 1970 to the end of the year 9999. Times are clamped to this range, so that a time plus a period never overflows.
    package static let range: ClosedRange<Int64> = 0...253_402_300_799_999

    /// - Parameter real: The machine's time.
    package func now(real: Int64) -> Int64 {
        mode == .manual ? offset : WorldClock.inRange(WorldClock.inRange(real) + offset)
    }

    /// Sets mode and time.
    ///
    /// - Parameter now: Nil keeps the world's time when the clock becomes manual, and uses the machine's when it becomes
    ///   real.
    package mutating func set(_ mode: Mode, to now: Int64?, real: Int64) {
        switch mode {
        case .manual: self = .manual(at: now ?? self.now(real: real))
        case .real:
            let real = WorldClock.inRange(real)
            self = WorldClock(mode: .real, offset: WorldClock.inRange(now ?? real) - real)
        }
    }

    /// Moves the time by `milliseconds`; a negative number moves it back.
    package mutating func advance(by milliseconds: Int64, real: Int64) {
        let limit = WorldClock.range.upperBound
        let target = now(real: real) + min(max(milliseconds, -limit), limit)
        set(mode, to: target, real: real)
    }

    /// Whether a clock from a file can be used.
    var isInRange: Bool {
        (-WorldClock.range.upperBound...WorldClock.range.upperBound).contains(offset)
            && (mode == .real || offset >= 0)
    }

    private static func inRange(_ time: Int64) -> Int64 { min(max(time, range.lowerBound), range.upperBound) }
}
