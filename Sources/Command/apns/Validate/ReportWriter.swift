#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Where a report goes: standard output, or a file that is there only once it is whole.
final class ReportWriter {
    private let path: String?
    private let temporary: String?
    private let descriptor: Int32
    private var pending: [UInt8] = []
    private var fault: Int32 = 0
    private var isDone = false

    private static let bufferBytes = 64 * 1024

    /// - Parameter path: Nil for standard output.
    init(path: String?) throws(CommandError) {
        self.path = path
        guard let path else {
            temporary = nil
            descriptor = 1
            return
        }
        var facts = stat()
        let exists = stat(path, &facts) == 0
        if exists, facts.st_mode & S_IFMT != S_IFREG {
            // A device or a pipe cannot be replaced, only written to.
            temporary = nil
            descriptor = open(path, O_WRONLY | O_CLOEXEC)
        } else {
            let name = "\(path).\(getpid()).part"
            temporary = name
            descriptor = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        }
        guard descriptor >= 0 else { throw CommandError(FileError(path, .written, errno: errno).description) }
    }

    deinit {
        guard path != nil else { return }
        if !isDone, let temporary { unlink(temporary) }
        close(descriptor)
    }

    var isFile: Bool { path != nil }

    func write(_ text: String) {
        guard !text.isEmpty else { return }
        write(text.utf8)
    }

    func write(_ bytes: some Collection<UInt8>) {
        guard path != nil else { return Output.standard.write(bytes) }
        pending += bytes
        if pending.count >= ReportWriter.bufferBytes { flush() }
    }

    /// A line for people, on stderr.
    func note(_ text: String) { Output.standard.note(text) }

    /// Puts the file in its place. Throws when it could not be written whole; the one before it then stays.
    func finish() throws {
        // Also what was lost on the way to standard output is told by the exit status.
        guard let path else { return try Output.standard.finish() }
        flush()
        if fault == 0, let temporary {
            if fsync(descriptor) != 0 || rename(temporary, path) != 0 { fault = errno }
        }
        guard fault == 0 else { throw CommandError(FileError(path, .written, errno: fault).description) }
        isDone = true
    }

    private func flush() {
        if fault == 0 { fault = System.write(pending, to: descriptor) }
        pending.removeAll(keepingCapacity: true)
    }
}
