#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// How many files and sockets this process may open.
package enum OpenFiles {
    /// Connections of the control port at most: devices that read their deliveries, pages, calls.
    private static let mostForControl = 13_000
    /// What is kept for files and everything else.
    private static let reserve = 200

    /// How many may be connections of the control port: two thirds of all at most.
    package static var forControl: Int { max(min(Int(clamping: limit.rlim_cur) / 3 * 2 - reserve, mostForControl), 50) }

    /// How many may be connections of senders.
    package static var forConnections: Int { max(Int(clamping: limit.rlim_cur) - forControl - reserve, 10) }

    /// Raises the limit to the most that the system allows this process; many systems start with 1,024 or 256.
    package static func allowMost() {
        var wanted = limit
        #if canImport(Darwin)
            // Where the hard limit is unlimited, Darwin still refuses more than OPEN_MAX.
            wanted.rlim_cur = min(wanted.rlim_max, rlim_t(OPEN_MAX))
        #else
            wanted.rlim_cur = wanted.rlim_max
        #endif
        _ = set(wanted)
    }

    #if canImport(Glibc)
        private static let resource = __rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue))
    #else
        private static let resource = RLIMIT_NOFILE
    #endif

    private static var limit: rlimit {
        var limit = rlimit()
        _ = getrlimit(resource, &limit)
        return limit
    }

    private static func set(_ wanted: rlimit) -> Bool {
        var wanted = wanted
        return setrlimit(resource, &wanted) == 0
    }
}
