#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A regular file or a folder, whatever its path.
struct FileIdentity: Hashable, Sendable {
    private let device: UInt64
    private let number: UInt64

    enum Kind { case regularFile, folder }

    /// Nil for what does not exist, and for what is of another kind.
    init?(path: String, _ kind: Kind = .regularFile) {
        var facts = stat()
        guard stat(path, &facts) == 0 else { return nil }
        self.init(facts, kind)
    }

    /// - Parameter descriptor: Of an open file; nil for what is no regular file.
    init?(descriptor: Int32) {
        var facts = stat()
        guard fstat(descriptor, &facts) == 0 else { return nil }
        self.init(facts, .regularFile)
    }

    private init?(_ facts: stat, _ kind: Kind) {
        guard facts.st_mode & S_IFMT == (kind == .folder ? S_IFDIR : S_IFREG) else { return nil }
        device = UInt64(truncatingIfNeeded: facts.st_dev)
        number = UInt64(truncatingIfNeeded: facts.st_ino)
    }
}
