#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Starts programs. Foundation's way reads past the end of the list of open files on Linux, and now and then crashes there.
package enum Spawn {
    package struct NotStarted: Error {
        package let code: Int32
    }

    /// - Parameters:
    ///   - environment: All of it.
    ///   - streams: Which of its descriptors are copies of which of ours; the others it has are ours.
    ///   - leadsGroup: Whether it begins a process group, so that what it starts can be ended with it and a Ctrl-C at the
    ///     terminal does not reach it.
    /// - Returns: Its number, which is the caller's to wait for.
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

        // This process ignores signals that it handles in another way; the program begins with the usual ones.
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

        // What has a NUL in it cannot be handed to a program, and would be cut there.
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
