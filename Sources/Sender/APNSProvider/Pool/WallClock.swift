import APNSModel

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The machine's clock, which may jump.
enum WallClock {
    /// Seconds since 1970-01-01 UTC.
    static var secondsSince1970: Int64 {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return Int64(now.tv_sec)
    }
}

extension MonotonicTime {
    /// The clock that runs on while the machine sleeps. It measures the age of a provider token.
    static var continuous: MonotonicTime {
        MonotonicTime(nanoseconds: (ContinuousClock.now - Self.continuousStart).wholeNanoseconds)
    }

    private static let continuousStart = ContinuousClock.now
}
