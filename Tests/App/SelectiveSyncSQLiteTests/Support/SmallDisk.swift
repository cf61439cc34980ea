import Foundation

#if canImport(Glibc)
    import Glibc
#endif

/// A file system of its own in memory, as small as a test needs it.
final class SmallDisk {
    private let path: String

    /// Nil where the process may not mount one, which only the administrator of a Linux system may; that is printed.
    init?(bytes: Int, in folder: TemporaryFolder) throws {
        path = folder.file("disk")
        #if canImport(Glibc)
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            guard mount("none", path, "tmpfs", 0, "size=\(bytes)") == 0 else {
                print("NOT TESTED: no file system may be mounted here (\(String(cString: strerror(errno))))")
                return nil
            }
        #else
            print("NOT TESTED: a small file system is mounted on Linux alone")
            return nil
        #endif
    }

    func file(_ name: String) -> String { path + "/" + name }

    /// Takes all the room there is left, until `clear()`.
    func fill() throws {
        _ = FileManager.default.createFile(atPath: file("rest"), contents: nil)
        let rest = try FileHandle(forWritingTo: URL(fileURLWithPath: file("rest")))
        while (try? rest.write(contentsOf: Data(count: 4_096))) != nil {}
        try rest.close()
    }

    func clear() throws { try FileManager.default.removeItem(atPath: file("rest")) }

    func remount(readOnly: Bool) throws {
        #if canImport(Glibc)
            let flags = UInt(MS_REMOUNT) | (readOnly ? UInt(MS_RDONLY) : 0)
            // A process that another test is just starting holds, for a moment, all files that are open here.
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
