import APNSModel

extension MonotonicTime {
    /// The clock that runs on while the machine sleeps. It measures the age of a provider token.
    static var continuous: MonotonicTime {
        MonotonicTime(nanoseconds: (ContinuousClock.now - Self.continuousStart).wholeNanoseconds)
    }

    private static let continuousStart = ContinuousClock.now
}
