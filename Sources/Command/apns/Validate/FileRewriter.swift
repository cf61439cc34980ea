#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Replaces a file atomically: writes the new content to a temporary file beside it, and renames that at the end. The new
/// file has the owner and mode of the old one. If anything fails, the old file stays unchanged.
final class FileRewriter {
    private let name: String
    private let path: String
    private let temporary: String
    private let descriptor: Int32
    private var pending: [UInt8] = []
    private var failure: Int32 = 0
    private var isDone = false

    private static let bufferBytes = 64 * 1024

    /// - Parameter path: A file, or a link, whose target is replaced.
    init(_ path: String) throws(FileError) {
        name = path
        guard let real = realpath(path, nil) else { throw FileError(path, .written, errno: errno) }
        self.path = String(cString: real)
        free(real)
        var facts = stat()
        guard stat(self.path, &facts) == 0 else { throw FileError(path, .written, errno: errno) }
        guard facts.st_mode & S_IFMT == S_IFREG else {
            throw FileError(path, .written, detail: "it is not a regular file, and --fix changes only those")
        }
        // Without this check, renaming would replace a file that is write-protected.
        guard access(self.path, W_OK) == 0 else { throw FileError(path, .written, errno: errno) }
        temporary = "\(self.path).\(getpid()).part"
        descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw FileError(path, .written, errno: errno) }
        // The owner first, because changing it clears bits of the mode. For any user but root it may fail.
        if facts.st_uid != geteuid() || facts.st_gid != getegid() { _ = fchown(descriptor, facts.st_uid, facts.st_gid) }
        if fchmod(descriptor, facts.st_mode & 0o7777) != 0 { failure = errno }
    }

    deinit {
        guard descriptor >= 0 else { return }
        if !isDone { unlink(temporary) }
        close(descriptor)
    }

    func write(_ bytes: some Collection<UInt8>) {
        pending += bytes
        if pending.count >= FileRewriter.bufferBytes { flush() }
    }

    func finish() throws(FileError) {
        flush()
        if failure == 0, fsync(descriptor) != 0 || rename(temporary, path) != 0 { failure = errno }
        guard failure == 0 else { throw FileError(name, .written, errno: failure) }
        isDone = true
    }

    private func flush() {
        if failure == 0 { failure = System.write(pending, to: descriptor) }
        pending.removeAll(keepingCapacity: true)
    }
}
