#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The resident memory of this process.
package enum ResidentMemory {
    /// Nil on systems without /proc.
    package static var bytes: Int? {
        let file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var text = [UInt8](repeating: 0, count: 128)
        let count = read(file, &text, text.count)
        let fields = text.prefix(max(0, count)).split(separator: UInt8(ascii: " "))
        guard fields.count > 1, let pages = Int(String(decoding: fields[1], as: UTF8.self)) else { return nil }
        return pages * Int(getpagesize())
    }
}
