import DatabaseFiles
public import EventDelivery
import Foundation
import GRDB

/// Keeps events in one SQLite file.
///
/// ```swift
/// let queue = EventQueue(
///     store: SQLiteEventStore(file: folder.appendingPathComponent("events.sqlite").path),
///     destinations: [EventDestination("shop", transport: transport)])
/// ```
///
/// A commit is one transaction, so a kill at any instruction loses nothing that was committed. A commit does not wait for the
/// disk: after a loss of power the last ones may be missing, but none is incomplete. A damaged file is set aside, and what can
/// be read is taken over. Only one queue of one process may use a file.
///
/// `@unchecked Sendable` because the lock protects everything.
public final class SQLiteEventStore: EventStore, @unchecked Sendable {
    /// The file's path.
    public let file: String
    private let lock = NSLock()
    private var database: EventDatabase?
    private var mayWait = true

    /// Opens nothing yet: the queue does at its first use, and tries again after a failure.
    ///
    /// - Parameter file: A path in an existing folder. The store and SQLite create more files next to it, which start with its
    ///   name.
    public init(file: String) { self.file = file }

    public func load() throws -> StoreContents {
        try lock.withLock {
            database = nil
            let waits = mayWait
            // While the file is busy, each call of the queue comes here; only the first one waits.
            mayWait = false
            do {
                let (database, state) = try open(waits: waits)
                self.database = database
                mayWait = true
                return StoreContents(state: state, recovery: database.recovery)
            } catch {
                throw SQLiteEventStore.reading(error, file)
            }
        }
    }

    /// Opens the file, after its replacement if it is damaged.
    private func open(waits: Bool) throws -> (database: EventDatabase, state: [UInt8]?) {
        let files = DatabaseFiles(ofEvents: file)
        if !files.isReplacing, let opened = try openUnlessDamaged(waits: waits) { return opened }
        return try files.whileReplacing {
            try files.finishReplacement()
            // Another process may have replaced the file meanwhile.
            if let opened = try openUnlessDamaged(waits: false) { return opened }
            try EventRecovery.replace(files)
            let database = try EventDatabase(file, waits: false)
            return (database, try database.state())
        }
    }

    private func openUnlessDamaged(waits: Bool) throws -> (database: EventDatabase, state: [UInt8]?)? {
        do {
            let database = try EventDatabase(file, waits: waits)
            return (database, try database.state())
        } catch {
            guard SQLiteEventStore.reading(error, file).code == .damaged else { throw error }
            return nil
        }
    }

    public func readAll(_ take: (StoredEvent) -> Void) throws { try use { try $0.readAll(take) } }

    public func commit(_ changes: StoreChanges) throws { try use { try $0.commit(changes) } }

    public func events(_ sequences: [Int64]) throws -> [StoredEvent] { try use { try $0.events(sequences) } }

    public func synchronize() throws { try use { try $0.checkpoint() } }

    private func use<Result>(_ body: (EventDatabase) throws -> Result) throws -> Result {
        try lock.withLock {
            guard let database else {
                throw EventStoreError(code: .unusable, file: file, detail: "is not loaded")
            }
            do {
                return try body(database)
            } catch {
                let error = SQLiteEventStore.reading(error, file)
                // The next start replaces the file.
                if error.code == .damaged { DatabaseFiles(ofEvents: file).markDamaged() }
                throw error
            }
        }
    }

    /// Damaged files that were set aside, the oldest first. At most three are kept.
    public static func damagedFiles(of file: String) -> [String] { DatabaseFiles(ofEvents: file).asides }

    /// Deletes the damaged files, for example when the person opts out.
    public static func removeDamagedFiles(of file: String) {
        for aside in DatabaseFiles(ofEvents: file).asides { DatabaseFiles.remove(aside) }
    }

    static func reading(_ error: any Error, _ file: String) -> EventStoreError {
        if let error = error as? EventStoreError { return error }
        func made(_ code: EventStoreError.Code, _ detail: String) -> EventStoreError {
            EventStoreError(code: code, file: file, detail: detail)
        }
        guard let error = error as? DatabaseError else {
            return made(.unusable, "cannot be opened; check that the folder exists and is writable")
        }
        let number = error.extendedResultCode.rawValue
        switch error.resultCode {
        // SQLITE_ERROR: a table or column is missing.
        case .SQLITE_NOTADB, .SQLITE_CORRUPT, .SQLITE_ERROR, .SQLITE_MISMATCH, .SQLITE_FORMAT:
            return made(.damaged, "is not an SQLite database or is damaged; the next start sets it aside")
        case .SQLITE_FULL: return made(.full, "the disk is full; nothing was stored, what was there is kept")
        case .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_PROTOCOL:
            return made(.busy, "another queue uses it; give each queue and each process its own file")
        case .SQLITE_READONLY, .SQLITE_PERM:
            return made(.readOnly, "cannot be written; check the permissions of the file and its folder")
        case .SQLITE_IOERR: return made(.io, "the system could not read or write it (SQLite \(number))")
        default:
            return made(.unusable, "cannot be opened (SQLite \(number)); check that the folder exists and is writable")
        }
    }
}
