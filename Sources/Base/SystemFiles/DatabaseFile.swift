#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Prepares a file for SQLite.
package enum DatabaseFile {
    /// Why the file cannot be used: a sentence that names it and says what to do.
    package struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
        package let description: String
        /// Whether the disk is full.
        package let isFull: Bool
    }

    /// Creates the file if there is none. It, and the files that SQLite creates beside it, can be read only by their owner.
    package static func prepare(_ path: String) throws(Failure) {
        let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0o600)
        guard file >= 0 else { throw failure(path) }
        defer { close(file) }
        var facts = stat()
        guard fstat(file, &facts) == 0 else { throw failure(path) }
        guard facts.st_mode & S_IFMT == S_IFREG else { throw notRegular(path) }
        guard facts.st_mode & 0o077 == 0 || fchmod(file, 0o600) == 0 else { throw failure(path) }
    }

    /// Whether `prepare` would find the file or could create it. Changes nothing.
    package static func check(_ path: String) throws(Failure) {
        var facts = stat()
        guard stat(path, &facts) == 0 else {
            guard errno == ENOENT, access(folder(of: path), W_OK | X_OK) == 0 else { throw failure(path) }
            return
        }
        guard facts.st_mode & S_IFMT == S_IFREG else { throw notRegular(path) }
        guard access(path, R_OK | W_OK) == 0 else { throw failure(path) }
        // Only its owner can make it private.
        guard facts.st_mode & 0o077 == 0 || facts.st_uid == geteuid() || geteuid() == 0 else {
            errno = EPERM
            throw failure(path)
        }
    }

    private static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private static func notRegular(_ path: String) -> Failure {
        Failure(
            description: "\(path) cannot be the store: it is not a regular file; name a file, which need not exist yet",
            isFull: false)
    }

    private static func failure(_ path: String) -> Failure {
        let code = errno
        let text = String(cString: strerror(code))
        let advice =
            switch code {
            case ENOENT: "; create its folder first"
            case EACCES, EPERM, EROFS: "; check the permissions of the file and of its folder"
            case EISDIR: "; name a file in it"
            case ENOSPC: "; free some space on the disk"
            default: ""
            }
        return Failure(description: "\(path) cannot be the store: \(text)\(advice)", isFull: code == ENOSPC)
    }
}
