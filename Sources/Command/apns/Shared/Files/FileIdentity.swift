#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A regular file, whatever its path.
struct FileIdentity: Hashable, Sendable {
    private let device: UInt64
    private let number: UInt64

    /// Nil for what does not exist, and for what is not a regular file.
    init?(path: String) {
        var facts = stat()
        guard stat(path, &facts) == 0 else { return nil }
        self.init(facts)
    }

    /// - Parameter descriptor: Of an open file.
    init?(descriptor: Int32) {
        var facts = stat()
        guard fstat(descriptor, &facts) == 0 else { return nil }
        self.init(facts)
    }

    private init?(_ facts: stat) {
        guard facts.st_mode & S_IFMT == S_IFREG else { return nil }
        device = UInt64(truncatingIfNeeded: facts.st_dev)
        number = UInt64(truncatingIfNeeded: facts.st_ino)
    }
}
