#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Writes a report to standard output, or to a file that appears only when it is complete.
final class ReportWriter {
    private let path: String?
    private let temporary: String?
    private let descriptor: Int32
    private var pending: [UInt8] = []
    private var failure: Int32 = 0
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
            // A device or a pipe cannot be replaced by renaming, only written to.
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
        guard path != nil, descriptor >= 0 else { return }
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

    /// Prints a line for people on stderr.
    func note(_ text: String) { Output.standard.note(text) }

    /// Completes the file. Throws when it could not be written; the previous file then stays.
    func finish() throws {
        // Throws when results were lost on standard output, too.
        guard let path else { return try Output.standard.finish() }
        flush()
        if failure == 0, let temporary {
            if fsync(descriptor) != 0 || rename(temporary, path) != 0 { failure = errno }
        }
        guard failure == 0 else { throw CommandError(FileError(path, .written, errno: failure).description) }
        isDone = true
    }

    private func flush() {
        if failure == 0 { failure = System.write(pending, to: descriptor) }
        pending.removeAll(keepingCapacity: true)
    }
}
