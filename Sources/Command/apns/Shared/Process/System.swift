import SystemFiles

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// System calls of the command.
enum System {
    /// The value of an environment variable; nil for an absent or empty one.
    static func environment(_ name: String) -> String? {
        guard let value = getenv(name) else { return nil }
        let text = String(cString: value)
        return text.isEmpty ? nil : text
    }

    static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

    /// The columns of a terminal; nil for anything else.
    static func terminalWidth(_ descriptor: Int32) -> Int? {
        var size = winsize()
        guard isTerminal(descriptor), ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
            return nil
        }
        return Int(size.ws_col)
    }

    static func text(ofError code: Int32) -> String { String(cString: strerror(code)) }

    /// A write to a closed pipe then fails instead of ending the process.
    static func ignoreBrokenPipes() { signal(SIGPIPE, SIG_IGN) }

    static var currentFolder: String {
        guard let path = getcwd(nil, 0) else { return "." }
        defer { free(path) }
        return String(cString: path)
    }

    /// The absolute path without links; nil for a path that does not exist.
    static func realPath(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }

    static func fileExists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// Whether every user of the machine may make files in a folder, as in `/tmp`.
    static func anybodyMayWrite(_ folder: String) -> Bool {
        var status = stat()
        return stat(folder, &status) == 0 && status.st_mode & S_IWOTH != 0
    }

    /// Ends the process at once, without waiting for other threads.
    static func exit(_ status: ExitStatus) -> Never { _exit(status.rawValue) }

    /// Whether a write of a line would not wait.
    static func takesOutput(_ descriptor: Int32) -> Bool {
        var wanted = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return poll(&wanted, 1, 0) > 0
    }

    /// Writes all of `bytes`, also to a non-blocking pipe or terminal.
    ///
    /// - Returns: 0, or the errno of the write that failed.
    static func write(_ bytes: some Collection<UInt8>, to descriptor: Int32) -> Int32 {
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { SystemCall.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
                continue
            }
            switch errno {
            case EINTR: continue
            case EAGAIN:
                var wanted = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = poll(&wanted, 1, -1)
            default: return errno
            }
        }
        return 0
    }

    static let brokenPipe: Int32 = EPIPE

    /// Lets a pipe hold 1 MiB instead of 64 KiB, so that this process waits less often for the reader. Does nothing to a
    /// larger one, to anything else, and where the system does not allow it.
    static func enlargePipe(_ descriptor: Int32) {
        #if os(Linux)
            // F_SETPIPE_SZ and F_GETPIPE_SZ, which are declared for C code with _GNU_SOURCE only.
            let (setSize, getSize) = (Int32(1031), Int32(1032))
            if (1..<1 << 20).contains(fcntl(descriptor, getSize)) { _ = fcntl(descriptor, setSize, 1 << 20) }
        #endif
    }
}
