#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The machine's clock, which may jump.
package enum WallClock {
    /// Milliseconds since 1970-01-01 UTC.
    package static var milliseconds: Int64 {
        let now = time
        return Int64(now.tv_sec) * 1000 + Int64(now.tv_nsec) / 1_000_000
    }

    /// Seconds since 1970-01-01 UTC.
    package static var secondsSince1970: Int64 { Int64(time.tv_sec) }

    private static var time: timespec {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return now
    }
}
