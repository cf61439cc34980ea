#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The right to change the files of a folder, which one process has at a time. It ends with the value, and with the
/// process.
///
/// The folder itself is locked, so that no file is left behind.
package struct FolderLock: ~Copyable {
    private let file: Int32

    private init(file: Int32) { self.file = file }

    deinit { close(file) }

    /// Waits while another process has the right.
    ///
    /// A file system without locks, such as some network file systems, gives the right to everybody.
    ///
    /// - Parameters:
    ///   - attempts: How often to try, at least once; then it fails with `EWOULDBLOCK`.
    ///   - pause: Called between attempts.
    package static func take(
        _ folder: String, attempts: Int = 200, pause: () -> Void = { usleep(50_000) }
    ) throws(PrivateFolder.Failure) -> FolderLock {
        let file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard file >= 0 else { throw PrivateFolder.Failure(number: errno) }
        let lock = FolderLock(file: file)
        var left = attempts
        while flock(file, LOCK_EX | LOCK_NB) != 0 {
            switch errno {
            case EINTR: continue
            case EOPNOTSUPP, ENOLCK, ENOSYS, EBADF: return lock
            case EWOULDBLOCK:
                left -= 1
                guard left > 0 else { throw PrivateFolder.Failure(number: EWOULDBLOCK) }
                pause()
            default: throw PrivateFolder.Failure(number: errno)
            }
        }
        return lock
    }
}
