import SystemFiles

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A process that this one has started and will wait for. Belongs to one task.
struct ChildProcess {
    let id: Int32
    private var isReaped = false

    /// - Parameters:
    ///   - environment: All variables of the process.
    ///   - output: The descriptor for its standard output.
    init(_ file: String, _ arguments: [String], environment: [String: String], output: Int32) throws(Spawn.NotStarted) {
        id = try Spawn.start(file, arguments, environment: environment, streams: [1: output])
    }

    /// Interrupts it if it still runs, and waits until it has ended.
    mutating func stop() {
        guard !isReaped else { return }
        // Until it is reaped, its id cannot belong to another process.
        kill(id, SIGINT)
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0, errno == EINTR {}
        isReaped = true
    }
}
