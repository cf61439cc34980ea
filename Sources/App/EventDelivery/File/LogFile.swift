import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#elseif canImport(Glibc)
    import Glibc
#endif

/// An open file with the calls of the system that a log needs. Every failure is an `EventStoreError`.
///
/// One owner at a time: opening locks the file.
final class LogFile {
    let path: String
    private let descriptor: Int32

    /// Creates the file, readable only by its owner, or opens it if `isNew` is false.
    ///
    /// - Parameters:
    ///   - waits: Whether to wait a moment for a process that is ending and still has the file open.
    ///   - whenOpened: Called before the file is locked, for tests.
    /// - Returns: Nil if there is such a file already, or none, or if it got another name meanwhile.
    init?(_ path: String, isNew: Bool, waits: Bool = false, whenOpened: () -> Void = {}) throws {
        self.path = path
        descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | (isNew ? O_CREAT | O_EXCL : 0), 0o600)
        guard descriptor >= 0 else {
            if errno == (isNew ? EEXIST : ENOENT) { return nil }
            throw LogFile.error(path, errno)
        }
        // All properties have values, so a throw runs `deinit`, which closes the file.
        whenOpened()
        try LogFile.lock(descriptor, path, waits: waits)
        // The previous owner may have replaced the file while this one was opened.
        var (mine, named) = (stat(), stat())
        guard fstat(descriptor, &mine) == 0 else { throw LogFile.error(path, errno) }
        guard stat(path, &named) == 0, mine.st_dev == named.st_dev, mine.st_ino == named.st_ino else { return nil }
        #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
            // Events are captured while the device is locked, too, but not before its first unlock.
            try? FileManager.default.setAttributes(
                [.protectionKey: FileProtectionType.completeUntilFirstUserAuthentication], ofItemAtPath: path)
        #endif
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    private static func lock(_ descriptor: Int32, _ path: String, waits: Bool) throws {
        for turn in 1... {
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return }
            guard errno == EINTR || errno == EWOULDBLOCK && waits, turn < 50 else { break }
            usleep(10_000)
        }
        throw LogFile.error(path, errno)
    }

    /// The number of bytes.
    func size() throws -> Int64 {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw LogFile.error(path, errno) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw EventStoreError(code: .unusable, file: path, detail: "is not a regular file; give the path of a file")
        }
        return Int64(status.st_size)
    }

    func write(_ bytes: [UInt8], at offset: Int64) throws {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                pwrite(
                    descriptor, buffer.baseAddress! + written, buffer.count - written, off_t(offset) + off_t(written))
            }
            if count > 0 {
                written += count
            } else if count == 0 || errno != EINTR {
                throw LogFile.error(path, count == 0 ? ENOSPC : errno)
            }
        }
    }

    /// Up to `count` bytes; fewer at the end of the file.
    func read(_ count: Int, at offset: Int64) throws -> [UInt8] {
        var total = 0
        var number: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            while total < count {
                let read = pread(descriptor, buffer.baseAddress! + total, count - total, off_t(offset) + off_t(total))
                if read > 0 {
                    total += read
                } else if read == 0 || errno != EINTR {
                    number = read == 0 ? 0 : errno
                    break
                }
            }
            initialized = total
        }
        guard number == 0 else { throw LogFile.error(path, number) }
        return bytes
    }

    func truncate(to size: Int64) throws {
        guard ftruncate(descriptor, off_t(size)) == 0 else { throw LogFile.error(path, errno) }
    }

    func synchronize() throws {
        #if canImport(Darwin)
            // On these systems fsync leaves the data in the memory of the drive.
            if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
        #endif
        guard fsync(descriptor) == 0 else { throw LogFile.error(path, errno) }
    }

    // Names.

    static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    static func remove(_ path: String) { unlink(path) }

    static func move(_ old: String, to new: String) throws {
        guard rename(old, new) == 0 else { throw error(old, errno) }
    }

    /// A second name for a file.
    static func link(_ old: String, to new: String) throws {
        #if canImport(Darwin)
            let status = Darwin.link(old, new)
        #elseif canImport(Musl)
            let status = Musl.link(old, new)
        #else
            let status = Glibc.link(old, new)
        #endif
        guard status == 0 else { throw error(old, errno) }
    }

    /// Returns when the names in the file's folder survive a loss of power. Some file systems cannot do that.
    static func synchronizeFolder(of path: String) {
        let folder = open(URL(fileURLWithPath: path).deletingLastPathComponent().path, O_RDONLY | O_CLOEXEC)
        guard folder >= 0 else { return }
        fsync(folder)
        close(folder)
    }

    static func busy(_ path: String) -> EventStoreError { error(path, EWOULDBLOCK) }

    private static func error(_ path: String, _ number: Int32) -> EventStoreError {
        switch number {
        case ENOSPC, EDQUOT, EFBIG:
            EventStoreError(
                code: .full, file: path, detail: "the disk is full; nothing was stored, what was there is kept")
        case EROFS, EACCES, EPERM:
            EventStoreError(
                code: .readOnly, file: path,
                detail: "cannot be opened or written; check the permissions of the file and its folder")
        case EWOULDBLOCK:
            EventStoreError(
                code: .busy, file: path, detail: "another queue uses it; give each queue and each process its own file")
        case ENOENT, ENOTDIR, EISDIR, ELOOP:
            EventStoreError(
                code: .unusable, file: path, detail: "cannot be opened; give the path of a file in an existing folder")
        default:
            EventStoreError(code: .io, file: path, detail: "the system could not read or write it (errno \(number))")
        }
    }
}
