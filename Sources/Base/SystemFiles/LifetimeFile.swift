#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A private file that describes a running process. The process holds a lock on it, which the system releases when the
/// process ends in any way, so that a file without a lock was left by a process that is gone. An id of a process would
/// not show that, because the system uses ids again.
package final class LifetimeFile {
    package let path: String
    private let descriptor: Int32

    /// Writes the file under another name, locks it and then gives it its name, so that a reader sees it whole and locked.
    ///
    /// - Parameter path: In a folder that exists. Nobody else may use this name.
    package init(path: String, content: [UInt8]) throws(PrivateFolder.Failure) {
        self.path = path
        let fresh = path + ".new"
        unlink(fresh)  // left by an interrupted attempt
        descriptor = open(fresh, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw PrivateFolder.Failure(number: errno) }
        do throws(PrivateFolder.Failure) {
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { throw PrivateFolder.Failure(number: errno) }
            try LifetimeFile.write(content, to: descriptor)
            try PrivateFolder.rename(fresh, to: path)
        } catch {
            unlink(fresh)
            throw error
        }
    }

    // Also runs where `init` throws. If that closed the file too, another thread could lose one that it has opened in between.
    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Removes the file at the end of what it describes.
    package func remove() { unlink(path) }

    package enum State: Hashable, Sendable {
        /// Its process runs.
        case held([UInt8])
        /// Its process is gone.
        case left([UInt8])
        /// It does not exist, it cannot be read, it is larger than allowed, or it belongs to another user.
        case unusable
    }

    package static func state(of path: String, maximum: Int) -> State {
        // Without O_NONBLOCK, opening a named pipe blocks until it has a writer.
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
        guard file >= 0 else { return .unusable }
        defer { close(file) }
        var facts = stat()
        guard fstat(file, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG, facts.st_uid == geteuid(),
            facts.st_size <= maximum
        else { return .unusable }
        let isHeld = flock(file, LOCK_SH | LOCK_NB) != 0
        guard !isHeld || errno == EWOULDBLOCK else { return .unusable }
        var bytes = [UInt8](repeating: 0, count: maximum)
        var count = 0
        while count < maximum {
            let more = bytes.withUnsafeMutableBytes {
                SystemCall.read(file, $0.baseAddress.map { $0 + count }, maximum - count)
            }
            if more < 0, errno == EINTR { continue }
            guard more >= 0 else { return .unusable }
            guard more > 0 else { break }
            count += more
        }
        return isHeld ? .held(Array(bytes[..<count])) : .left(Array(bytes[..<count]))
    }

    private static func write(_ content: [UInt8], to descriptor: Int32) throws(PrivateFolder.Failure) {
        var rest = content[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { SystemCall.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw PrivateFolder.Failure(number: errno) }
            rest = rest.dropFirst(count)
        }
    }
}
