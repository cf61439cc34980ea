import Foundation

#if canImport(Glibc)
    import Glibc
#endif

/// A small file system in memory.
final class SmallDisk {
    private let path: String

    /// Whether this process may mount a file system: only the administrator of a Linux system may.
    static let isAvailable = (try? SmallDisk(bytes: 1 << 16, in: TemporaryFolder())) != nil

    init(bytes: Int, in folder: TemporaryFolder) throws {
        path = folder.file("disk")
        #if canImport(Glibc)
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            guard mount("none", path, "tmpfs", 0, "size=\(bytes)") == 0 else {
                throw CocoaError(.fileWriteNoPermission)
            }
        #else
            throw CocoaError(.featureUnsupported)
        #endif
    }

    func file(_ name: String) -> String { path + "/" + name }

    /// Uses all the space that is left, until `clear()`.
    func fill() throws {
        _ = FileManager.default.createFile(atPath: file("rest"), contents: nil)
        let rest = try FileHandle(forWritingTo: URL(fileURLWithPath: file("rest")))
        while (try? rest.write(contentsOf: Data(count: 4_096))) != nil {}
        try rest.close()
    }

    /// The space is free at once, even if a process that another test starts briefly holds the file.
    func clear() throws {
        let rest = try FileHandle(forWritingTo: URL(fileURLWithPath: file("rest")))
        try rest.truncate(atOffset: 0)
        try rest.close()
        try FileManager.default.removeItem(atPath: file("rest"))
    }

    func remount(readOnly: Bool) throws {
        #if canImport(Glibc)
            let flags = UInt(MS_REMOUNT) | (readOnly ? UInt(MS_RDONLY) : 0)
            // A process that another test starts briefly holds all files that are open in this one.
            for _ in 0..<1_000_000 {
                if mount("none", path, "tmpfs", flags, nil) == 0 { return }
                guard errno == EBUSY else { break }
                sched_yield()
            }
            throw CocoaError(.fileWriteNoPermission)
        #endif
    }

    deinit {
        #if canImport(Glibc)
            umount2(path, Int32(MNT_DETACH))
        #endif
    }
}
