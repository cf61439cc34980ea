#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A private file that only gets whole lines appended.
///
/// Opening it locks it against other processes. A partial line at its end, which a crash can leave, is cut off.
package final class LineFile {
    package struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
        package let description: String

        package init(description: String) { self.description = description }
    }

    package let path: String
    /// How many bytes of a partial line were cut off.
    package private(set) var repairedBytes = 0
    private let descriptor: Int32
    /// Where the last whole line ends; nil for what is not a regular file, such as a pipe.
    private var end: Int64?

    /// In bytes, up to the last whole line; nil for what is not a regular file.
    package var size: Int? { end.map { Int($0) } }

    /// False once another program has renamed or removed the file, so that its path is free or names another one. True for what
    /// is not a regular file.
    package var isAtItsPath: Bool {
        guard end != nil else { return true }
        var own = stat()
        var named = stat()
        guard fstat(descriptor, &own) == 0 else { return true }
        guard stat(path, &named) == 0 else { return errno != ENOENT }
        return own.st_dev == named.st_dev && own.st_ino == named.st_ino
    }

    /// - Parameters:
    ///   - path: Created if it does not exist; `-` is standard output.
    ///   - head: How the first line begins, where that is known. A file that begins in another way is left as it is.
    package init(path: String, head: String = "") throws(Failure) {
        self.path = path
        descriptor =
            path == "-"
            ? fcntl(1, F_DUPFD_CLOEXEC, 0)
            : open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY, 0o600)
        guard descriptor >= 0 else { throw LineFile.failure(path, "opened") }
        try begin(head)
    }

    // Also runs where `init` throws. If that closed the file too, another thread could lose one that it has opened in between.
    deinit { if descriptor >= 0 { close(descriptor) } }

    private func begin(_ head: String) throws(Failure) {
        var facts = stat()
        guard fstat(descriptor, &facts) == 0 else { throw LineFile.failure(path, "opened") }
        guard facts.st_mode & S_IFMT == S_IFREG, path != "-" else { return }
        try lock()
        // Another run may have written until it gave up the lock.
        guard fstat(descriptor, &facts) == 0 else { throw LineFile.failure(path, "opened") }
        try check(head, Int64(facts.st_size))
        guard facts.st_mode & 0o077 == 0 || fchmod(descriptor, 0o600) == 0 else {
            throw LineFile.failure(path, "made private")
        }
        try repair(Int64(facts.st_size))
    }

    /// A program that another thread starts has a copy of a descriptor that was closed a moment ago, and of its lock, until it
    /// runs. So the lock is tried for half a second before the file counts as in use by another run.
    private func lock() throws(Failure) {
        for _ in 0..<50 {
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return }
            guard errno == EINTR || errno == EWOULDBLOCK else { throw LineFile.failure(path, "locked") }
            usleep(10_000)
        }
        throw Failure(description: "\(path) is in use by another run; wait for its end, or name another file")
    }

    /// Also accepts the beginning of `head`, which a crash can leave.
    private func check(_ head: String, _ size: Int64) throws(Failure) {
        let wanted = Array(head.utf8)
        let found = try read(from: 0, count: Int(min(size, Int64(wanted.count))))
        guard wanted.starts(with: found) else {
            throw Failure(
                description:
                    "\(path):1: the line does not begin with \(head), so this is a file of another kind; it is left "
                    + "as it is, name another one")
        }
    }

    private func repair(_ size: Int64) throws(Failure) {
        var last = size
        var tail: [UInt8] = []
        while last > 0 {
            let start = max(0, last - 65536)
            let part = try read(from: start, count: Int(last - start))
            if let newline = part.lastIndex(of: UInt8(ascii: "\n")) {
                tail = Array(part[(newline + 1)...]) + tail
                last = start + Int64(newline) + 1
                break
            }
            tail = part + tail
            last = start
        }
        end = last
        guard last < size else { return }
        guard tail.first == UInt8(ascii: "{") else {
            throw Failure(
                description:
                    "\(path) ends in the middle of a line that this command did not write, and is left as it "
                    + "is; name another file")
        }
        guard ftruncate(descriptor, off_t(last)) == 0 else { throw LineFile.failure(path, "repaired") }
        repairedBytes = Int(size - last)
    }

    private func read(from start: Int64, count: Int) throws(Failure) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let more = bytes.withUnsafeMutableBytes {
                pread(descriptor, $0.baseAddress! + done, count - done, off_t(start) + off_t(done))
            }
            if more < 0, errno == EINTR { continue }
            guard more > 0 else { throw LineFile.failure(path, "read") }
            done += more
        }
        return bytes
    }

    /// Appends lines, each with its line feed: all of them, or none if the disk is full.
    package func append(_ lines: [UInt8]) throws(Failure) {
        try lines.withUnsafeBufferPointer { (lines) throws(Failure) in try append(UnsafeRawBufferPointer(lines)) }
    }

    /// The same without a copy.
    package func append(_ lines: UnsafeRawBufferPointer) throws(Failure) {
        var rest = lines
        while !rest.isEmpty {
            let count = SystemCall.write(descriptor, rest.baseAddress, rest.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                let failure = LineFile.failure(path, "written")
                if let end { ftruncate(descriptor, off_t(end)) }
                throw failure
            }
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
        }
        if let end { self.end = end + Int64(lines.count) }
    }

    /// Takes back the last bytes that were appended, which have to be whole lines. Does nothing to what is not a regular file.
    package func removeLast(_ count: Int) {
        guard let end, ftruncate(descriptor, off_t(end) - off_t(count)) == 0 else { return }
        self.end = end - Int64(count)
    }

    /// Returns once everything appended is on the disk.
    package func sync() throws(Failure) {
        guard end == nil || fsync(descriptor) == 0 else { throw LineFile.failure(path, "written to the disk") }
    }

    /// Reads the whole file.
    ///
    /// - Parameter body: Called with each line without its line feed.
    package func forEachLine(_ body: (ArraySlice<UInt8>) -> Void) throws(Failure) {
        guard let end else { return }
        var waiting: [UInt8] = []
        var place: Int64 = 0
        while place < end {
            let part = try read(from: place, count: Int(min(65536, end - place)))
            place += Int64(part.count)
            waiting += part
            var start = 0
            while let newline = waiting[start...].firstIndex(of: UInt8(ascii: "\n")) {
                body(waiting[start..<newline])
                start = newline + 1
            }
            waiting.removeFirst(start)
        }
    }

    private static func failure(_ path: String, _ attempt: String) -> Failure {
        let code = errno
        let advice =
            switch code {
            case ENOENT: "; create its folder first"
            case EACCES, EPERM, EROFS: "; check the permissions of the file and of its folder"
            case ENOSPC, EDQUOT: "; free space on the disk"
            case EISDIR: "; name a file in it"
            default: ""
            }
        let path = path.isEmpty ? "\"\"" : path
        return Failure(description: "\(path) cannot be \(attempt): \(String(cString: strerror(code)))\(advice)")
    }
}
