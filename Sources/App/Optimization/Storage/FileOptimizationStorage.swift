import Foundation
import PushDispatch

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#elseif canImport(Glibc)
    import Glibc
#endif

/// Keeps values in one small file that only its owner can read (mode 0600).
///
/// A new file replaces the old one in one step, after it has reached the disk. A file that is not one of this library counts as
/// none: it gets the end `.damaged`, in place of an earlier one.
public struct FileOptimizationStorage: OptimizationStorage {
    /// The file's path.
    public let file: String

    /// - Parameter file: A path in an existing folder.
    public init(file: String) { self.file = file }

    private static let limits = JSONLimits(maximumBytes: 16 << 20, maximumDepth: 2, maximumValues: 1_000)

    public func load() throws -> [String: String] {
        guard let bytes = try read() else { return [:] }
        guard let members = (try? JSONReader.read(bytes, limits: FileOptimizationStorage.limits))?.object else {
            guard rename(file, file + ".damaged") == 0 else { throw failure("is damaged and cannot be set aside") }
            return [:]
        }
        return members.compactMapValues(\.string)
    }

    public func save(_ changes: [String: String?]) throws {
        var values = try load()
        for (key, value) in changes { values[key] = value }
        try write(JSONValue.object(values.mapValues { .string($0) }).compactBytes)
    }

    private func read() throws -> [UInt8]? {
        let descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw failure("cannot be opened (errno \(errno)); check the file and its folder")
        }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            return Array(try handle.read(upToCount: FileOptimizationStorage.limits.maximumBytes + 1) ?? Data())
        } catch {
            throw failure("cannot be read; give the path of a regular file")
        }
    }

    private func write(_ bytes: [UInt8]) throws {
        let fresh = file + ".new"
        // What a crash has left. The mode is given at creation, so the new file is at no moment readable by others.
        unlink(fresh)
        let descriptor = open(fresh, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            throw failure("cannot be written (errno \(errno)); what was there before is kept")
        }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            try handle.write(contentsOf: Data(bytes))
            try handle.synchronize()
        } catch {
            unlink(fresh)
            throw failure("cannot be written, perhaps because the disk is full; what was there before is kept")
        }
        #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
            // The app may run while the device is locked, but not before its first unlock.
            try? FileManager.default.setAttributes(
                [.protectionKey: FileProtectionType.completeUntilFirstUserAuthentication], ofItemAtPath: fresh)
        #endif
        guard rename(fresh, file) == 0 else {
            let number = errno
            unlink(fresh)
            throw failure("cannot be replaced (errno \(number)); what was there before is kept")
        }
    }

    private func failure(_ detail: String) -> OptimizationError { OptimizationError(.storage, "\(file) \(detail)") }
}
