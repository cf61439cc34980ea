#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Folders and files that only their owner can read.
package enum PrivateFolder {
    /// An error of the system, with its description.
    package struct Failure: Error, CustomStringConvertible {
        package let number: Int32
        package var description: String { String(cString: strerror(number)) }
        package var isMissing: Bool { number == ENOENT || number == ENOTDIR }
        /// The end of what was read did not come in time.
        package var isLate: Bool { number == ETIMEDOUT }
        /// Another process holds a lock.
        package var isBusy: Bool { number == EWOULDBLOCK }
    }

    /// The id of the user that files are written as.
    package static var user: UInt32 { geteuid() }

    package static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// The names of everything in a folder; empty when it cannot be read.
    package static func names(in folder: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    }

    /// Creates every folder of `path` that does not exist.
    package static func makeParents(_ path: String) throws(Failure) {
        var end = path.startIndex
        while end < path.endIndex {
            end = path[path.index(after: end)...].firstIndex(of: "/") ?? path.endIndex
            guard mkdir(String(path[..<end]), 0o755) != 0, errno != EEXIST else { continue }
            throw Failure(number: errno)
        }
    }

    /// Creates a folder with mode 0700, and its parents, where they do not exist. One that exists stays as it is.
    package static func makeShared(_ path: String) throws(Failure) {
        if let slash = path.lastIndex(of: "/"), slash > path.startIndex { try makeParents(String(path[..<slash])) }
        guard mkdir(path, 0o700) != 0, errno != EEXIST else { return }
        throw Failure(number: errno)
    }

    /// Creates a folder with mode 0700 and a random name that begins with `prefix`.
    package static func makeTemporary(_ prefix: String) throws(Failure) -> String {
        var template = Array((prefix + "XXXXXX").utf8CString)
        let isMade = template.withUnsafeMutableBufferPointer { mkdtemp($0.baseAddress!) != nil }
        guard isMade else { throw Failure(number: errno) }
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Writes a file that must not exist yet, and syncs it to the disk.
    ///
    /// - Parameter mode: 0600 for secrets.
    package static func write(_ bytes: [UInt8], to path: String, mode: UInt32) throws(Failure) {
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode_t(mode))
        guard file >= 0 else { throw Failure(number: errno) }
        defer { close(file) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { SystemCall.write(file, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Failure(number: errno) }
            rest = rest.dropFirst(count)
        }
        guard fsync(file) == 0 else { throw Failure(number: errno) }
    }

    /// Writes a file, and replaces an existing one in one step.
    package static func replace(_ path: String, with bytes: [UInt8], mode: UInt32) throws(Failure) {
        let fresh = path + ".new"
        unlink(fresh)  // left by an interrupted attempt
        do throws(Failure) {
            try write(bytes, to: fresh, mode: mode)
            try rename(fresh, to: path)
        } catch {
            unlink(fresh)
            throw error
        }
    }

    /// - Parameter maximum: A larger file is a failure with EFBIG.
    package static func read(_ path: String, maximum: Int) throws(Failure) -> [UInt8] {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw Failure(number: errno) }
        defer { close(file) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 16384)
        while true {
            let count = part.withUnsafeMutableBytes { SystemCall.read(file, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw Failure(number: errno) }
            guard count > 0 else { return bytes }
            bytes += part[..<count]
            guard bytes.count <= maximum else { throw Failure(number: EFBIG) }
        }
    }

    /// The same for a file that may be a pipe or a device, whose end may never come.
    ///
    /// - Parameter limit: How long its end is waited for. Then it is a failure with ETIMEDOUT.
    package static func read(_ path: String, maximum: Int, within limit: Duration) throws(Failure) -> [UInt8] {
        // Otherwise a named pipe without a writer is not even opened.
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { throw Failure(number: errno) }
        defer { close(file) }
        let clock = ContinuousClock()
        let end = clock.now + limit
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 16384)
        while true {
            let rest = (end - clock.now).components
            let milliseconds = rest.seconds * 1000 + rest.attoseconds / 1_000_000_000_000_000
            guard milliseconds >= 0 else { throw Failure(number: ETIMEDOUT) }
            var wanted = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
            guard poll(&wanted, 1, Int32(clamping: milliseconds + 1)) > 0 else { continue }
            let count = part.withUnsafeMutableBytes { SystemCall.read(file, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            guard count >= 0 else { throw Failure(number: errno) }
            guard count > 0 else { return bytes }
            bytes += part[..<count]
            guard bytes.count <= maximum else { throw Failure(number: EFBIG) }
        }
    }

    /// Replaces a file, an empty folder or nothing at `target`.
    package static func rename(_ source: String, to target: String) throws(Failure) {
        guard SystemCall.rename(source, target) == 0 else { throw Failure(number: errno) }
    }

    package static func remove(file: String) { unlink(file) }

    /// Removes the named files and then the folder, if nothing else is in it.
    package static func remove(_ folder: String, files: [String]) {
        for file in files { unlink(folder + "/" + file) }
        rmdir(folder)
    }
}
