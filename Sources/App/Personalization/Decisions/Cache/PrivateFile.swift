import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#elseif canImport(Glibc)
    import Glibc
#endif

/// A small file that only its owner can read, always replaced as a whole.
struct PrivateFile: Sendable {
    let path: String

    /// Where a file that cannot be read is moved to. A later one replaces it.
    var damagedPath: String { path + ".damaged" }

    private var freshPath: String { path + ".new" }

    /// All bytes; nil if there is no file.
    func read(maximumBytes: Int) throws(DecisionStoreError) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw error(errno)
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw error(errno) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw DecisionStoreError(.unusable, file: path, "is not a regular file; give the path of a file")
        }
        guard status.st_size <= maximumBytes else {
            throw DecisionStoreError(.damaged, file: path, "has more than \(maximumBytes) bytes")
        }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Self.system { systemRead(descriptor, &part, part.count) }
            guard count >= 0 else { throw error(errno) }
            if count == 0 { return bytes }
            bytes += part[..<count]
            guard bytes.count <= maximumBytes else {
                throw DecisionStoreError(.damaged, file: path, "has more than \(maximumBytes) bytes")
            }
        }
    }

    func write(_ bytes: [UInt8]) throws(DecisionStoreError) {
        // What a crash has left. The mode is given at creation, so the new file is at no moment readable by others.
        unlink(freshPath)
        let descriptor = open(freshPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw error(errno) }
        do {
            try fill(descriptor, bytes)
        } catch {
            close(descriptor)
            unlink(freshPath)
            throw error
        }
        close(descriptor)
        #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
            // A push can be opened while the device is locked, but not before its first unlock.
            try? FileManager.default.setAttributes(
                [.protectionKey: FileProtectionType.completeUntilFirstUserAuthentication], ofItemAtPath: freshPath)
        #endif
        guard rename(freshPath, path) == 0 else {
            let number = errno
            unlink(freshPath)
            throw error(number)
        }
        synchronizeFolder()
    }

    private func fill(_ descriptor: Int32, _ bytes: [UInt8]) throws(DecisionStoreError) {
        var written = 0
        while written < bytes.count {
            let count = Self.system {
                bytes.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress! + written, $0.count - written) }
            }
            guard count > 0 else { throw error(count == 0 ? ENOSPC : errno) }
            written += count
        }
        guard fsync(descriptor) == 0 else { throw error(errno) }
    }

    func setAside() throws(DecisionStoreError) -> String? {
        guard rename(path, damagedPath) == 0 else {
            if errno == ENOENT { return nil }
            throw error(errno)
        }
        return damagedPath
    }

    /// Removes the file, what was set aside, and what a crash has left.
    func erase() throws(DecisionStoreError) { try remove([path, damagedPath, freshPath]) }

    func removeSetAside() throws(DecisionStoreError) { try remove([damagedPath]) }

    private func remove(_ names: [String]) throws(DecisionStoreError) {
        var failure: Int32?
        for name in names where unlink(name) != 0 && errno != ENOENT { failure = errno }
        synchronizeFolder()
        if let failure { throw error(failure) }
    }

    /// Without it a loss of power could undo the change of names. Not every file system allows it.
    private func synchronizeFolder() {
        let folder = open(URL(fileURLWithPath: path).deletingLastPathComponent().path, O_RDONLY | O_CLOEXEC)
        guard folder >= 0 else { return }
        fsync(folder)
        close(folder)
    }

    /// Repeats a call of the system that a signal has interrupted.
    private static func system(_ call: () -> Int) -> Int {
        while true {
            let result = call()
            if result >= 0 || errno != EINTR { return result }
        }
    }

    private func error(_ number: Int32) -> DecisionStoreError {
        switch number {
        case ENOSPC, EDQUOT, EFBIG:
            DecisionStoreError(.full, file: path, "the disk is full; what was there before is kept")
        case EROFS, EACCES, EPERM:
            DecisionStoreError(
                .readOnly, file: path, "cannot be opened or written; check the permissions of the file and its folder")
        case ENOENT, ENOTDIR, EISDIR, ELOOP:
            DecisionStoreError(
                .unusable, file: path, "cannot be opened; give the path of a file in an existing folder")
        default: DecisionStoreError(.io, file: path, "the system could not read or write it (errno \(number))")
        }
    }
}

// The system's calls, whose names the methods of the type hide.
private func systemRead(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer, _ count: Int) -> Int {
    read(descriptor, bytes, count)
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}
