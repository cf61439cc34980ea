#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Writes the new content of a file beside it, and puts it in its place at the end, with the mode of the old one. Until
/// then, and if anything fails, the file stays as it is.
final class FileRewriter {
    private let name: String
    private let path: String
    private let temporary: String
    private let descriptor: Int32
    private var pending: [UInt8] = []
    private var fault: Int32 = 0
    private var isDone = false

    private static let bufferBytes = 64 * 1024

    /// - Parameter path: Of a file; that of a link stands for what it leads to.
    init(_ path: String) throws(FileError) {
        name = path
        guard let real = realpath(path, nil) else { throw FileError(path, .written, errno: errno) }
        self.path = String(cString: real)
        free(real)
        var facts = stat()
        guard stat(self.path, &facts) == 0 else { throw FileError(path, .written, errno: errno) }
        guard facts.st_mode & S_IFMT == S_IFREG else {
            throw FileError(path, .written, detail: "it is no regular file; --fix can change only such")
        }
        // Renaming would get around it.
        guard access(self.path, W_OK) == 0 else { throw FileError(path, .written, errno: errno) }
        temporary = "\(self.path).\(getpid()).part"
        descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw FileError(path, .written, errno: errno) }
        // The owner first, because a change of it takes bits of the mode away; only root may give files away.
        if facts.st_uid != geteuid() || facts.st_gid != getegid() { _ = fchown(descriptor, facts.st_uid, facts.st_gid) }
        if fchmod(descriptor, facts.st_mode & 0o7777) != 0 { fault = errno }
    }

    deinit {
        if !isDone { unlink(temporary) }
        close(descriptor)
    }

    func write(_ bytes: some Collection<UInt8>) {
        pending += bytes
        if pending.count >= FileRewriter.bufferBytes { flush() }
    }

    func finish() throws(FileError) {
        flush()
        if fault == 0, fsync(descriptor) != 0 || rename(temporary, path) != 0 { fault = errno }
        guard fault == 0 else { throw FileError(name, .written, errno: fault) }
        isDone = true
    }

    private func flush() {
        if fault == 0 { fault = System.write(pending, to: descriptor) }
        pending.removeAll(keepingCapacity: true)
    }
}
