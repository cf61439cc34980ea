import SystemFiles

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// An open file or standard input. Reading blocks the thread.
struct InputFile: ~Copyable {
    /// How messages name it.
    let name: String
    /// Whether it is a regular file, which never blocks a reader as a pipe does.
    let isRegular: Bool
    /// The size of a regular file when it was opened; 0 for any other.
    let size: Int
    private let descriptor: Int32

    static let standardInputName = "standard input"

    /// - Parameter path: `-` for standard input.
    init(path: String) throws(FileError) {
        let isStandardInput = path == "-"
        let name = isStandardInput ? InputFile.standardInputName : path
        // Without O_NONBLOCK, opening a named pipe blocks until it has a writer.
        let descriptor = isStandardInput ? 0 : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw FileError(name, errno: errno) }
        var facts = stat()
        let isRegular = fstat(descriptor, &facts) == 0 && facts.st_mode & S_IFMT == S_IFREG
        self.name = name
        self.isRegular = isRegular
        size = isRegular ? Int(facts.st_size) : 0
        self.descriptor = descriptor
    }

    deinit {
        if descriptor > 0 { close(descriptor) }
    }

    /// The next bytes, up to `count`. Empty at the end, or when `stop` is raised while this waits.
    func read(upTo count: Int, until stop: StopSignal?) throws(FileError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        bytes.removeLast(count - (try read(into: &bytes, from: 0, until: stop)))
        return bytes
    }

    /// Reads into `bytes`, from the index `start` to the end of the array.
    ///
    /// - Returns: How many bytes were read.
    func read(into bytes: inout [UInt8], from start: Int, until stop: StopSignal?) throws(FileError) -> Int {
        var result = Result<Int, FileError>.success(0)
        bytes.withUnsafeMutableBytes { buffer in
            result = read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[start...]), until: stop)
        }
        return try result.get()
    }

    /// `bytes`, and behind them the next ones of the file, up to `count`; none at the end.
    func read(upTo count: Int, behind bytes: [UInt8]) throws(FileError) -> [UInt8] {
        var result = Result<Int, FileError>.success(0)
        let all = [UInt8](unsafeUninitializedCapacity: bytes.count + count) { buffer, initialized in
            let end = buffer.initialize(fromContentsOf: bytes)
            let rest = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[end...])
            result = read(into: rest, until: nil)
            initialized = end + ((try? result.get()) ?? 0)
        }
        _ = try result.get()
        return all
    }

    private func read(
        into buffer: UnsafeMutableRawBufferPointer, until stop: StopSignal?
    ) -> Result<Int, FileError> {
        while true {
            if let stop {
                do throws(FileError) {
                    guard try wait(until: stop) else { return .success(0) }
                } catch {
                    return .failure(error)
                }
            } else if !isRegular {
                waitForInput()
            }
            let count = SystemCall.read(descriptor, buffer.baseAddress, buffer.count)
            guard count < 0 else { return .success(count) }
            switch errno {
            case EINTR: continue
            case EAGAIN: waitForInput()
            default: return .failure(FileError(name, errno: errno))
            }
        }
    }

    private func waitForInput() {
        var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        _ = poll(&wanted, 1, -1)
    }

    /// Waits for bytes or for the end.
    ///
    /// - Returns: Whether to read on.
    private func wait(until stop: StopSignal) throws(FileError) -> Bool {
        while true {
            if stop.isStopped { return false }
            if isRegular || stop.descriptor < 0 { return true }
            var wanted = [
                pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: stop.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            if poll(&wanted, 2, -1) < 0 {
                guard errno == EINTR else { throw FileError(name, errno: errno) }
            } else if wanted[0].revents != 0 {
                return !stop.isStopped
            }
        }
    }

    /// The whole content of a file.
    ///
    /// - Parameter limit: The largest content that is read. A longer one is an error.
    static func bytes(of path: String, limit: Int, until stop: StopSignal? = nil) throws(FileError) -> [UInt8] {
        let file = try InputFile(path: path)
        var bytes: [UInt8] = []
        // One byte more than the file has, so that one read sees both its bytes and its end.
        var wanted = file.size > 0 ? min(file.size, 1024 * 1024) + 1 : 64 * 1024
        while true {
            let more = try file.read(upTo: wanted, until: stop)
            if bytes.isEmpty { bytes = more } else { bytes += more }
            guard bytes.count <= limit else {
                throw FileError(file.name, detail: "it has more than \(limit) bytes, the most that is read here")
            }
            // Files in /proc claim to be empty and return their content in pieces, so the size alone does not end this.
            if more.isEmpty || file.size > 0 && bytes.count >= file.size && more.count < wanted { return bytes }
            wanted = 64 * 1024
        }
    }
}
