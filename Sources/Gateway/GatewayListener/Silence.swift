import APNSModel
import GatewayRuntime

/// How long nothing has come over a connection, by the world's clock.
struct Silence {
    private var lastRead = MonotonicTime.zero
    /// What the world's clock was moved by since then. Milliseconds.
    private var moved: Int64 = 0

    mutating func clockChanged(_ move: ClockChange, lastRead: MonotonicTime) {
        look(lastRead)
        moved = move.isReset || lastRead >= move.at ? 0 : max(0, moved + move.by)
    }

    /// Milliseconds.
    ///
    /// - Parameter isManual: Whether the world's time stands still by itself.
    mutating func length(at now: MonotonicTime, lastRead: MonotonicTime, isManual: Bool) -> Int64 {
        look(lastRead)
        return moved + (isManual ? 0 : (now - lastRead).wholeNanoseconds / 1_000_000)
    }

    private mutating func look(_ lastRead: MonotonicTime) {
        guard lastRead != self.lastRead else { return }
        self.lastRead = lastRead
        moved = 0
    }
}
