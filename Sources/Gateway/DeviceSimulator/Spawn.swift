#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Starts programs. Foundation's `Process` reads past the end of the list of open files on Linux, and sometimes crashes.
package enum Spawn {
    package struct NotStarted: Error {
        package let code: Int32
    }

    /// - Parameters:
    ///   - environment: All its variables.
    ///   - streams: Its file descriptors that are copies of ours; it inherits the others.
    ///   - leadsGroup: Whether it leads a new process group, so that the processes it starts can be killed with it, and
    ///     Ctrl-C at the terminal does not reach it.
    /// - Returns: Its process id. The caller has to wait for it.
    package static func start(
        _ file: String, _ arguments: [String], environment: [String: String], streams: KeyValuePairs<Int32, Int32>,
        leadsGroup: Bool = false
    ) throws(NotStarted) -> Int32 {
        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
            var attributes: posix_spawnattr_t?
        #else
            var actions = posix_spawn_file_actions_t()
            var attributes = posix_spawnattr_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (its, ours) in streams { posix_spawn_file_actions_adddup2(&actions, ours, its) }

        // This process ignores signals that it handles in another way; the program starts with the default actions.
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        for number in [SIGPIPE, SIGINT, SIGTERM] { sigaddset(&signals, number) }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setpgroup(&attributes, 0)
        let group = leadsGroup ? POSIX_SPAWN_SETPGROUP : 0
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | group))

        // A variable with a NUL cannot be passed to a program; it would be cut at the NUL.
        let pairs = environment.map { "\($0)=\($1)" }.filter { !$0.utf8.contains(0) }
        var words = ([file] + arguments).map { strdup($0) } + [nil]
        var variables = pairs.map { strdup($0) } + [nil]
        defer { for word in words + variables { free(word) } }
        var id: pid_t = 0
        let code = posix_spawn(&id, file, &actions, &attributes, &words, &variables)
        guard code == 0 else { throw NotStarted(code: code) }
        return id
    }
}
