/// What time it is in a world. Milliseconds since 1970-01-01 UTC throughout.
///
/// The shell hands in the machine's time with each call; a manual clock ignores it and stands still until it is moved.
package struct WorldClock: Hashable, Sendable, Codable {
    package enum Mode: String, Hashable, Sendable, Codable {
        case real, manual
    }

    package private(set) var mode: Mode
    /// Real: what is added to the machine's time. Manual: the time itself.
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

    /// From 1970 to the end of the year 9999. Whatever would leave this range stops at its end, so that sums of a time
    /// and a period never overflow.
    package static let range: ClosedRange<Int64> = 0...253_402_300_799_999

    /// - Parameter real: The machine's time.
    package func now(real: Int64) -> Int64 {
        mode == .manual ? offset : WorldClock.inRange(WorldClock.inRange(real) + offset)
    }

    /// Sets mode and time.
    ///
    /// - Parameter now: Nil keeps the world's time when the clock becomes manual, and takes the machine's when it becomes
    ///   real.
    package mutating func set(_ mode: Mode, to now: Int64?, real: Int64) {
        switch mode {
        case .manual: self = .manual(at: now ?? self.now(real: real))
        case .real:
            let real = WorldClock.inRange(real)
            self = WorldClock(mode: .real, offset: WorldClock.inRange(now ?? real) - real)
        }
    }

    /// Moves the time by `milliseconds`, back when negative.
    package mutating func advance(by milliseconds: Int64, real: Int64) {
        let limit = WorldClock.range.upperBound
        let target = now(real: real) + min(max(milliseconds, -limit), limit)
        set(mode, to: target, real: real)
    }

    private static func inRange(_ time: Int64) -> Int64 { min(max(time, range.lowerBound), range.upperBound) }
}
