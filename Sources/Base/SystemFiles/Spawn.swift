#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Starts programs with `posix_spawn`. Foundation's `Process` is not used: on Linux it reads past the end of the list
/// of open files, which sometimes crashes, and it sometimes misses the end of one of several processes.
package enum Spawn {
    package struct NotStarted: Error, CustomStringConvertible {
        package let file: String
        /// The `errno` of `posix_spawn`.
        package let code: Int32

        package var description: String { "\(file) cannot be started: \(String(cString: strerror(code)))" }
    }

    /// - Parameters:
    ///   - file: The path of the program; `PATH` is not searched.
    ///   - environment: All variables of the program. A pair that contains a NUL is left out, because it would be
    ///     truncated there.
    ///   - streams: Descriptors 0 to 2 of the program, each with the descriptor of this process that it is a copy of. One of the
    ///     three that is not named is inherited, and none from 3 on. Only glibc 2.34 and newer closes them in the program;
    ///     elsewhere one that another thread opens during the call can be inherited.
    ///   - leadsGroup: Whether the program leads a new process group, so that its children can be ended with it and
    ///     Ctrl-C at the terminal does not reach it.
    /// - Returns: The process id. The caller waits for it.
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
        for (its, ours) in streams {
            precondition((0...2).contains(its), "the program gets no other descriptors")
            posix_spawn_file_actions_adddup2(&actions, ours, its)
        }

        #if canImport(Glibc)
            let closesOthers = closeFrom.map { $0(&actions, 3) == 0 } ?? false
        #else
            let closesOthers = false
        #endif
        if !closesOthers { closeOthersOnExec() }
        // Blocked and ignored signals are inherited. This process ignores some, so the program gets the defaults back.
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

        let pairs = environment.map { "\($0)=\($1)" }.filter { !$0.utf8.contains(0) }
        var words = ([file] + arguments).map { strdup($0) } + [nil]
        var variables = pairs.map { strdup($0) } + [nil]
        defer { for word in words + variables { free(word) } }
        var id: pid_t = 0
        let code = posix_spawn(&id, file, &actions, &attributes, &words, &variables)
        guard code == 0 else { throw NotStarted(file: file, code: code) }
        return id
    }

    #if canImport(Glibc)
        private typealias CloseFrom =
            @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32
        /// Adds an action that closes, in the program, all descriptors from a number on. glibc declares it for C with
        /// `_GNU_SOURCE` only; nil before 2.34.
        private static let closeFrom = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np")
            .map { unsafeBitCast($0, to: CloseFrom.self) }
    #endif

    /// Marks all descriptors from 3 on as close-on-exec. The sockets of NIO are not: a program that inherits them keeps connections
    /// open that this process has closed, and PostgreSQL refuses to start with too many. Without `/dev/fd` nothing is marked.
    private static func closeOthersOnExec() {
        guard let folder = opendir("/dev/fd") else { return }
        defer { closedir(folder) }
        while let entry = readdir(folder) {
            guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { return }
            let name = (UnsafeRawPointer(entry) + offset).assumingMemoryBound(to: CChar.self)
            guard let descriptor = Int32(String(cString: name)), descriptor > 2 else { continue }
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        }
    }
}
