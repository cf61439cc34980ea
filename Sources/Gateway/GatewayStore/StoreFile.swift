#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The file of a store before SQLite sees it.
enum StoreFile {
    /// Makes the file where there is none. It and what SQLite puts beside it are for their owner alone.
    static func prepare(_ path: String) throws(StoreError) {
        let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0o600)
        guard file >= 0 else { throw failure(path) }
        defer { close(file) }
        var facts = stat()
        guard fstat(file, &facts) == 0 else { throw failure(path) }
        guard facts.st_mode & S_IFMT == S_IFREG else {
            throw StoreError(
                .unusable, "\(path) cannot be the store: it is no file; name one, or one that is to be made")
        }
        guard facts.st_mode & 0o077 == 0 || fchmod(file, 0o600) == 0 else { throw failure(path) }
    }

    private static func failure(_ path: String) -> StoreError {
        let code = errno
        let text = String(cString: strerror(code))
        let advice =
            switch code {
            case ENOENT: "; make its folder first"
            case EACCES, EPERM, EROFS: "; check the permissions of the file and of its folder"
            case EISDIR: "; name a file in it"
            case ENOSPC: "; make room on the disk"
            default: ""
            }
        return StoreError(code == ENOSPC ? .full : .unusable, "\(path) cannot be the store: \(text)\(advice)")
    }
}
