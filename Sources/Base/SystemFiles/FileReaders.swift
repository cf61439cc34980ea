#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A group of users that may read private files.
package struct FileReaders: Hashable, Sendable {
    package let group: UInt32

    package init(group: UInt32) { self.group = group }

    /// - Parameter name: The name of a group of this machine, or its number.
    /// - Returns: Nil if there is no such group. A number needs no group of that number.
    package init?(_ name: String) {
        if let number = UInt32(name), number != .max {
            self.init(group: number)
            return
        }
        guard let entry = getgrnam(name) else { return nil }
        self.init(group: entry.pointee.gr_gid)
    }

    /// Lets the group read a file. Does nothing where it may already.
    package func allowReading(_ path: String) throws(PrivateFolder.Failure) { try allow(path, 0o040) }

    /// Lets the group list a folder and open what is in it. Does nothing where it may already.
    package func allowUsing(folder: String) throws(PrivateFolder.Failure) { try allow(folder, 0o050) }

    private func allow(_ path: String, _ bits: mode_t) throws(PrivateFolder.Failure) {
        var facts = stat()
        guard stat(path, &facts) == 0 else { throw PrivateFolder.Failure(number: errno) }
        let isForGroup = facts.st_gid == group && facts.st_mode & bits == bits
        let isForAll = facts.st_mode & (bits >> 3) == bits >> 3
        guard !isForGroup, !isForAll else { return }
        guard chown(path, uid_t.max, group) == 0, chmod(path, facts.st_mode & 0o7707 | bits) == 0 else {
            throw PrivateFolder.Failure(number: errno)
        }
    }
}
