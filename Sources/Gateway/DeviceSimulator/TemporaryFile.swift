import Foundation
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A file that only this user can read, removed with the last reference to it.
final class TemporaryFile: Sendable {
    /// Positioned at the start; closed in child processes unless it is passed explicitly.
    let descriptor: Int32
    /// Nil for a file without a name.
    let path: String?
    private let isRemoved = Atomic(false)

    /// - Parameter suffix: The end of its name; nil for a file without a name.
    init(_ content: [UInt8], suffix: String? = nil) throws(ChildProgram.StartError) {
        let folder = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
        var name = Array("\(folder)/apns-device-XXXXXX\(suffix ?? "")".utf8CString)
        descriptor = mkstemps(&name, Int32((suffix ?? "").utf8.count))  // mode 0600
        guard descriptor >= 0 else { throw ChildProgram.StartError("no file can be created in \(folder)", code: errno) }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        if suffix == nil {
            unlink(name)
            path = nil
        } else {
            path = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
        var rest = content[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw ChildProgram.StartError("a file in \(folder) cannot be written", code: errno) }
            rest = rest.dropFirst(count)
        }
        lseek(descriptor, 0, SEEK_SET)
    }

    /// Removes its name. A second call does nothing.
    func remove() {
        if let path, !isRemoved.exchange(true, ordering: .relaxed) { unlink(path) }
    }

    deinit {
        remove()
        if descriptor >= 0 { close(descriptor) }
    }

    /// Its last bytes, at most this many.
    func last(_ maximum: Int) -> [UInt8] {
        let size = lseek(descriptor, 0, SEEK_END)
        var bytes = [UInt8](repeating: 0, count: maximum)
        let start = max(0, size - off_t(maximum))
        let count = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, start) }
        return Array(bytes.prefix(max(0, count)))
    }
}
