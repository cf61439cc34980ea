import Doctor

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

extension FileFacts {
    /// Those of the file that a path leads to; nil where there is none.
    init?(path: String) {
        var facts = stat()
        guard stat(path, &facts) == 0 else { return nil }
        let special: String? =
            switch facts.st_mode & S_IFMT {
            case S_IFREG: nil
            case S_IFIFO: "a pipe"
            case S_IFDIR: "a folder"
            default: "a device"
            }
        self.init(mode: UInt32(facts.st_mode) & 0o7777, isOwn: facts.st_uid == geteuid(), special: special)
    }
}
