#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

extension PrivateFolder {
    /// Creates a folder with mode 0700, and its parents where they do not exist. One that exists must belong to this user
    /// (otherwise EPERM) and becomes private.
    package static func makeOwn(_ path: String) throws(Failure) {
        let parent = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
        if !parent.isEmpty { try makeParents(parent) }
        if mkdir(path, 0o700) == 0 { return }
        guard errno == EEXIST else { throw Failure(number: errno) }
        var facts = stat()
        guard lstat(path, &facts) == 0 else { throw Failure(number: errno) }
        guard facts.st_mode & S_IFMT == S_IFDIR else { throw Failure(number: ENOTDIR) }
        guard facts.st_uid == geteuid() else { throw Failure(number: EPERM) }
        guard facts.st_mode & 0o077 == 0 || chmod(path, 0o700) == 0 else { throw Failure(number: errno) }
    }
}
