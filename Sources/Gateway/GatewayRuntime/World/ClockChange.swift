package import APNSModel

/// The world's clock was set, moved or, with the world, reset.
package struct ClockChange: Sendable {
    /// By how many milliseconds; negative for back.
    package let by: Int64
    /// When it happened, by the machine.
    package let at: MonotonicTime
    package let isReset: Bool
}
