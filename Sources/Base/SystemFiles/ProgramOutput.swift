#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// What a program printed on both streams until it ended, and its exit status.
package struct ProgramOutput: Hashable, Sendable {
    /// 128 and the number of the signal, where a signal ended it.
    package var status: Int32
    package var output: [UInt8]
    package var errors: [UInt8]

    /// Runs a program to its end, without standard input. Both streams are read at once, so that neither blocks it.
    ///
    /// - Parameter file: Its path; `PATH` is not searched.
    package init(of file: String, _ arguments: [String], environment: [String: String]) throws(Spawn.NotStarted) {
        let (results, notes) = (ProgramOutput.pipe(), ProgramOutput.pipe())
        let nothing = open("/dev/null", O_RDONLY | O_CLOEXEC)
        defer { for end in [results.reading, notes.reading, nothing] { close(end) } }
        let started = Result { () throws(Spawn.NotStarted) -> Int32 in
            try Spawn.start(
                file, arguments, environment: environment,
                streams: [0: nothing, 1: results.writing, 2: notes.writing])
        }
        // The program has its own copies. Without it, nothing would end the reading.
        for end in [results.writing, notes.writing] { close(end) }
        let id = try started.get()
        (output, errors) = ProgramOutput.readAll(results.reading, notes.reading)
        var end: Int32 = 0
        while waitpid(id, &end, 0) < 0, errno == EINTR {}
        status = end & 0x7F == 0 ? end >> 8 & 0xFF : 128 + (end & 0x7F)
    }

    /// The path of a program in the folders of a `PATH`; nil where none has it.
    package static func find(_ name: String, in path: String) -> String? {
        path.split(separator: ":").map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
    }

    private static func pipe() -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [-1, -1]
        #if canImport(Glibc)
            _ = Glibc.pipe(&ends)
        #elseif canImport(Musl)
            _ = Musl.pipe(&ends)
        #else
            _ = Darwin.pipe(&ends)
        #endif
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    private static func readAll(_ first: Int32, _ second: Int32) -> ([UInt8], [UInt8]) {
        var texts: [[UInt8]] = [[], []]
        // A negative descriptor is not polled.
        var wanted = [first, second].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while wanted.contains(where: { $0.fd >= 0 }) {
            guard poll(&wanted, nfds_t(wanted.count), -1) >= 0 || errno == EINTR else { break }
            for place in wanted.indices where wanted[place].fd >= 0 && wanted[place].revents != 0 {
                let count = SystemCall.read(wanted[place].fd, &buffer, buffer.count)
                if count > 0 {
                    texts[place] += buffer[..<count]
                } else if count == 0 || errno != EINTR {
                    wanted[place].fd = -1
                }
            }
        }
        return (texts[0], texts[1])
    }
}
