import GRDB

/// Why the store's file cannot be used, or did not take a change. Nothing was changed then.
public struct SQLiteStoreError: Error, Hashable, Sendable, CustomStringConvertible {
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

extension SQLiteStoreError.Code {
    /// Not SQLite, or broken: `SQLiteStore.openOrReplace(file:)` starts anew.
    public static let damaged = SQLiteStoreError.Code("damaged")
    /// Made by a later version of this library.
    public static let newerVersion = SQLiteStoreError.Code("newer-version")
    /// A database of something else.
    public static let foreign = SQLiteStoreError.Code("foreign")
    /// No room on the disk.
    public static let full = SQLiteStoreError.Code("full")
    /// Another connection, usually of another process, held a lock for longer than the store waits.
    public static let busy = SQLiteStoreError.Code("busy")
    /// It can be read, not written.
    public static let readOnly = SQLiteStoreError.Code("read-only")
    /// The system could not read or write it.
    public static let io = SQLiteStoreError.Code("io")
    /// It cannot be opened or used for another reason.
    public static let unusable = SQLiteStoreError.Code("unusable")
}

extension SQLiteStoreError {
    /// What SQLite said, in these terms; other errors come back as they are.
    static func reading(_ error: any Error, _ file: String) -> any Error {
        // A value of another kind than this library writes. Its own text would quote the value.
        if error is RowDecodingError { return damaged(file) }
        guard let error = error as? DatabaseError else { return error }
        let number = error.extendedResultCode.rawValue
        switch error.resultCode {
        // SQLITE_ERROR: a table or column is not there.
        case .SQLITE_NOTADB, .SQLITE_CORRUPT, .SQLITE_ERROR, .SQLITE_MISMATCH, .SQLITE_FORMAT: return damaged(file)
        case .SQLITE_FULL:
            return SQLiteStoreError(
                code: .full, file: file, detail: "the disk is full; nothing was stored, make room and sync again")
        case .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_PROTOCOL:
            return SQLiteStoreError(
                code: .busy, file: file,
                detail: "another process has it locked; try again, and give each process a file of its own")
        case .SQLITE_READONLY, .SQLITE_PERM:
            return SQLiteStoreError(
                code: .readOnly, file: file,
                detail: "may be read, not written; check the rights of the file and its folder")
        case .SQLITE_IOERR:
            return SQLiteStoreError(
                code: .io, file: file,
                detail: "the system could not read or write it (SQLite \(number)); nothing was stored, sync again")
        default:
            return SQLiteStoreError(
                code: .unusable, file: file,
                detail: "SQLite says \(number); check that the folder exists and is writable")
        }
    }

    static func damaged(_ file: String) -> SQLiteStoreError {
        SQLiteStoreError(
            code: .damaged, file: file,
            detail: "is no SQLite database or is damaged; openOrReplace sets it aside and starts anew")
    }
}
