#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// CPU time and memory that this process has used since it began, in all threads.
struct BenchResources {
    var cpu: Duration
    /// The most memory that was resident at once.
    var peakMemoryBytes: Int

    static var now: BenchResources {
        var usage = rusage()
        #if canImport(Glibc)
            getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        #else
            getrusage(RUSAGE_SELF, &usage)
        #endif
        #if canImport(Darwin)
            let unit = 1
        #else
            let unit = 1024
        #endif
        return BenchResources(
            cpu: Duration(usage.ru_utime) + Duration(usage.ru_stime), peakMemoryBytes: Int(usage.ru_maxrss) * unit)
    }
}

extension Duration {
    fileprivate init(_ time: timeval) {
        self = .seconds(Int64(time.tv_sec)) + .microseconds(Int64(time.tv_usec))
    }
}
