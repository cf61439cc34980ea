package import APNSModel

/// A change of a world's clock that is not the passing of time.
package struct ClockChange: Sendable {
    /// In milliseconds; negative for a change back.
    package let by: Int64
    /// When it happened, by the machine's clock.
    package let at: MonotonicTime
    /// Whether the whole world was reset.
    package let isReset: Bool

    package init(by milliseconds: Int64, at: MonotonicTime, isReset: Bool) {
        by = milliseconds
        self.at = at
        self.isReset = isReset
    }
}
