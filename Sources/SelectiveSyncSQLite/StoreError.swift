import GRDB

/// Why the store's file cannot be used, or did not take a change. Nothing was changed then.
public struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Open, because SQLite has more.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let rawValue: String

        public init(_ rawValue: String) { self.rawValue = rawValue }

        public var description: String { rawValue }
    }

    public let code: Code
    /// The file's path.
    public let file: String
    /// What is wrong and what to do. No value of a record.
    public let detail: String

    public var description: String { "\(file): \(detail) [\(code)]" }
}

extension StoreError.Code {
    /// Not SQLite, or broken.
    public static let damaged = StoreError.Code("damaged")
    /// Made by a later version of this library.
    public static let newerVersion = StoreError.Code("newer-version")
    /// A database of something else.
    public static let foreign = StoreError.Code("foreign")
    /// No room on the disk.
    public static let full = StoreError.Code("full")
    /// It cannot be opened, read or written.
    public static let unusable = StoreError.Code("unusable")
}

extension StoreError {
    /// What SQLite said, in these terms; other errors come back as they are.
    static func reading(_ error: any Error, _ file: String) -> any Error {
        guard let error = error as? DatabaseError else { return error }
        switch error.resultCode {
        case .SQLITE_NOTADB, .SQLITE_CORRUPT:
            return StoreError(
                code: .damaged, file: file,
                detail: "is no SQLite database or is damaged; move it away, a regular sync fills a new one")
        case .SQLITE_FULL:
            return StoreError(
                code: .full, file: file, detail: "the disk is full; nothing was stored, make room and sync again")
        default:
            return StoreError(
                code: .unusable, file: file,
                detail: "SQLite says \(error.extendedResultCode.rawValue); check that the folder exists and is writable"
            )
        }
    }
}
