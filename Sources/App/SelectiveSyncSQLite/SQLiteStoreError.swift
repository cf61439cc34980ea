import GRDB

/// Why the store's file cannot be used or changed. The failed call has changed nothing.
public struct SQLiteStoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Not an enum, because later versions may have more codes.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let rawValue: String

        public init(_ rawValue: String) { self.rawValue = rawValue }

        public var description: String { rawValue }
    }

    public let code: Code
    /// The file's path.
    public let file: String
    /// What is wrong and what to do. Contains no value of a record.
    public let detail: String

    public var description: String { "\(file): \(detail) [\(code)]" }
}

extension SQLiteStoreError.Code {
    /// Not an SQLite file, or damaged. `SQLiteStore.openOrReplace(file:)` replaces it.
    public static let damaged = SQLiteStoreError.Code("damaged")
    /// Made by a later version of this library.
    public static let newerVersion = SQLiteStoreError.Code("newer-version")
    /// A database of another application.
    public static let foreign = SQLiteStoreError.Code("foreign")
    /// The disk is full.
    public static let full = SQLiteStoreError.Code("full")
    /// Another connection, usually of another process, has held a lock for too long.
    public static let busy = SQLiteStoreError.Code("busy")
    /// The file can be read, but not written.
    public static let readOnly = SQLiteStoreError.Code("read-only")
    /// The system could not read or write the file.
    public static let io = SQLiteStoreError.Code("io")
    /// SQLite refused a statement although the file is as it should be: an error of this library or of a query of the app.
    public static let statement = SQLiteStoreError.Code("statement")
    /// The file cannot be used for another reason.
    public static let unusable = SQLiteStoreError.Code("unusable")
}

extension SQLiteStoreError {
    /// Converts an error of the database; returns other errors unchanged.
    ///
    /// - Parameter isComplete: Whether the file has all its tables and columns. It is asked where SQLite refused a statement:
    ///   then either a table is missing, or the statement is wrong.
    static func reading(_ error: any Error, _ file: String, isComplete: () throws -> Bool) -> any Error {
        // A value of another type than this library writes. The original error must not be shown, because it quotes the value.
        if error is RowDecodingError { return damaged(file) }
        guard let error = error as? DatabaseError else { return error }
        let number = error.extendedResultCode.rawValue
        switch error.resultCode {
        case .SQLITE_NOTADB, .SQLITE_CORRUPT, .SQLITE_MISMATCH, .SQLITE_FORMAT: return damaged(file)
        case .SQLITE_ERROR:
            guard isWhole(isComplete) else { return damaged(file) }
            return SQLiteStoreError(
                code: .statement, file: file,
                detail: "SQLite refused a statement (\(number)); nothing was stored, and the file is not damaged")
        case .SQLITE_FULL:
            return SQLiteStoreError(
                code: .full, file: file, detail: "the disk is full; nothing was stored, free some space and sync again")
        case .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_PROTOCOL:
            return SQLiteStoreError(
                code: .busy, file: file,
                detail: "another process has locked it; try again, and give each process its own file")
        case .SQLITE_READONLY, .SQLITE_PERM:
            return SQLiteStoreError(
                code: .readOnly, file: file,
                detail: "cannot be written; check the permissions of the file and its folder")
        case .SQLITE_IOERR:
            return SQLiteStoreError(
                code: .io, file: file,
                detail: "the system could not read or write it (SQLite \(number)); nothing was stored, sync again")
        default:
            return SQLiteStoreError(
                code: .unusable, file: file,
                detail: "cannot be opened (SQLite \(number)); check that the folder exists and is writable")
        }
    }

    /// A check that fails for another reason than damage proves none.
    private static func isWhole(_ check: () throws -> Bool) -> Bool {
        do {
            return try check()
        } catch let error as DatabaseError {
            return ![.SQLITE_NOTADB, .SQLITE_CORRUPT, .SQLITE_ERROR].contains(error.resultCode)
        } catch {
            return true
        }
    }

    static func damaged(_ file: String) -> SQLiteStoreError {
        SQLiteStoreError(
            code: .damaged, file: file,
            detail: "is not an SQLite database or is damaged; openOrReplace sets it aside and creates a new one")
    }
}
