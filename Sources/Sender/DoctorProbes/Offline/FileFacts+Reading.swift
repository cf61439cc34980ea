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
        self.init(mode: UInt32(facts.st_mode) & 0o7777, isOwn: facts.st_uid == geteuid())
    }
}
