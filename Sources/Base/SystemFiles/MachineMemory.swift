#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// How much memory this process may use.
package enum MachineMemory {
    /// The memory of the machine or, where that is less, of the control group (container) that the process is in. In bytes.
    package static var bytes: Int {
        let machine = Int(sysconf(Int32(_SC_PHYS_PAGES))).multipliedReportingOverflow(by: Int(getpagesize()))
        let physical = machine.overflow || machine.partialValue <= 0 ? 1 << 30 : machine.partialValue
        let limits = limitFiles.compactMap { file in number(in: file) }
        return limits.reduce(physical) { $1 > 0 ? min($0, $1) : $0 }
    }

    /// Of control groups, version 2 and 1, as a container sees its own.
    private static let limitFiles = ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"]

    /// Nil for a file without a number, such as one that says `max`.
    private static func number(in path: String) -> Int? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var text = [UInt8](repeating: 0, count: 64)
        let count = read(file, &text, text.count)
        return Int(String(decoding: text.prefix(max(0, count)).prefix { $0 > 0x20 }, as: UTF8.self))
    }
}
