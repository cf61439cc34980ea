public import Foundation

/// Keeps the tokens in a file that only its owner can read (mode 0600), for programs without a keychain.
///
/// A new file replaces the old one in one step, after it has reached the disk: a crash or a power failure at any moment leaves
/// either the old tokens or the new ones, and no other user can read the file at any moment.
public actor FileTokenStorage: TokenStorage {
    private let path: String

    /// - Parameter file: In an existing folder.
    public init(file: URL) { path = file.path }

    public func load() throws -> OAuthTokens? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else {
            let status = errno
            if status == ENOENT { return nil }
            throw TokenStorageError(.notRead, status: status)
        }
        defer { close(file) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = read(file, &part, part.count)
            if count == 0 { break }
            guard count > 0 else {
                if errno == EINTR { continue }
                throw TokenStorageError(.notRead, status: errno)
            }
            bytes += part[..<count]
            guard bytes.count <= FileTokenStorage.maximumBytes else { throw TokenStorageError(.unreadable) }
        }
        guard let tokens = try? JSONDecoder().decode(OAuthTokens.self, from: Data(bytes)) else {
            throw TokenStorageError(.unreadable)
        }
        return tokens
    }

    public func save(_ tokens: OAuthTokens) throws {
        let fresh = "\(path)-\(UInt64.random(in: .min ... .max))"
        do {
            try FileTokenStorage.write([UInt8](try JSONEncoder().encode(tokens)), to: fresh)
            guard rename(fresh, path) == 0 else { throw TokenStorageError(.notWritten, status: errno) }
        } catch {
            unlink(fresh)
            throw error
        }
        syncFolder()
    }

    public func clear() throws {
        guard unlink(path) == 0 || errno == ENOENT else { throw TokenStorageError(.notWritten, status: errno) }
        syncFolder()
    }

    private static let maximumBytes = 1 << 20

    private static func write(_ bytes: [UInt8], to path: String) throws {
        // The mode is given at creation, so the file is never readable by others. An existing file is not used.
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw TokenStorageError(.notWritten, status: errno) }
        defer { close(file) }
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { posixWrite(file, $0.baseAddress, $0.count) }
            guard count >= 0 else {
                if errno == EINTR { continue }
                throw TokenStorageError(.notWritten, status: errno)
            }
            written += count
        }
        guard fsync(file) == 0 else { throw TokenStorageError(.notWritten, status: errno) }
    }

    /// Without it a power failure could undo the change of names. Not every file system allows it.
    private func syncFolder() {
        let folder = open(URL(fileURLWithPath: path).deletingLastPathComponent().path, O_RDONLY | O_CLOEXEC)
        guard folder >= 0 else { return }
        fsync(folder)
        close(folder)
    }
}

/// `write` of the system, whose name a method hides.
private func posixWrite(_ file: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int { write(file, bytes, count) }
