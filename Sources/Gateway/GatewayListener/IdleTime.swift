import APNSModel
import GatewayRuntime

/// For how long nothing was received over a connection, by the world's clock.
struct IdleTime {
    private var lastRead = MonotonicTime.zero
    /// By how many milliseconds the world's clock was changed since `lastRead`.
    private var moved: Int64 = 0

    mutating func clockChanged(_ change: ClockChange, lastRead: MonotonicTime) {
        update(lastRead)
        moved = change.isReset || lastRead >= change.at ? 0 : max(0, moved + change.by)
    }

    /// In milliseconds.
    ///
    /// - Parameter isManual: Whether the world's clock does not advance by itself.
    mutating func length(at now: MonotonicTime, lastRead: MonotonicTime, isManual: Bool) -> Int64 {
        update(lastRead)
        return moved + (isManual ? 0 : (now - lastRead).wholeNanoseconds / 1_000_000)
    }

    private mutating func update(_ lastRead: MonotonicTime) {
        guard lastRead != self.lastRead else { return }
        self.lastRead = lastRead
        moved = 0
    }
}
