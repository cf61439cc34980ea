import SystemFiles

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A process that this one has started and waits for. Belongs to one task.
struct ChildProcess {
    let id: Int32
    private var isReaped = false

    /// - Parameters:
    ///   - environment: All of it.
    ///   - output: A descriptor that becomes its standard output.
    init(_ file: String, _ arguments: [String], environment: [String: String], output: Int32) throws(Spawn.NotStarted) {
        id = try Spawn.start(file, arguments, environment: environment, streams: [1: output])
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
