#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A process that this one has started and waits for. Foundation's reads past the end of the list of open files on Linux,
/// and now and then crashes there. Belongs to one task.
struct ChildProcess {
    let id: Int32
    private var isReaped = false

    struct NotStarted: Error {
        let code: Int32
    }

    /// - Parameters:
    ///   - environment: All of it.
    ///   - output: A descriptor that becomes its standard output.
    init(_ file: String, _ arguments: [String], environment: [String: String], output: Int32) throws(NotStarted) {
        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
        #else
            var actions = posix_spawn_file_actions_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        var words = ([file] + arguments).map { strdup($0) } + [nil]
        var variables = environment.map { strdup("\($0)=\($1)") } + [nil]
        defer { for word in words + variables { free(word) } }
        var id: pid_t = 0
        let code = posix_spawn(&id, file, &actions, nil, &words, &variables)
        guard code == 0 else { throw NotStarted(code: code) }
        self.id = id
    }

    /// Interrupts it where it still runs, and waits until it has ended.
    mutating func stop() {
        guard !isReaped else { return }
        // The number stays this process's until it is reaped.
        kill(id, SIGINT)
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0, errno == EINTR {}
        isReaped = true
    }
}
