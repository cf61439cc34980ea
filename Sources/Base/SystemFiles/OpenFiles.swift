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
    /// What is kept for files and everything else, but no more than a fifth of all.
    private static let reserve = 200

    /// How many may be connections of the control port.
    package static var forControl: Int { shares(of: Int(clamping: limit.rlim_cur)).control }

    /// How many may be connections of senders.
    package static var forConnections: Int { shares(of: Int(clamping: limit.rlim_cur)).senders }

    /// Divides what is left of the reserve: two thirds for the control port, up to its limit, and the rest for senders.
    static func shares(of limit: Int) -> (control: Int, senders: Int) {
        let rest = limit - min(reserve, limit / 5)
        let control = min(rest / 3 * 2, mostForControl)
        return (control, rest - control)
    }

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
