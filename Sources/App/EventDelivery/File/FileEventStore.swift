import Foundation

/// Keeps events in one file, to which every commit adds a record with a checksum.
///
/// A kill at any byte loses nothing that was committed. A disk that is full leaves the file as it was. A damaged file is set
/// aside, and what can be read is taken over. The file is at most about twice as large as its events.
///
/// Only one queue can open a file. Do not place it in a container that an app shares with its extensions: the file stays
/// locked, and the system ends a suspended app that holds a lock there.
///
/// `@unchecked Sendable` because the lock protects everything.
public final class FileEventStore: EventStore, @unchecked Sendable {
    /// When the store waits for the disk.
    public enum Synchronization: Hashable, Sendable {
        /// When the queue asks for it: before the background, and after the person has opted in or out. A loss of power can
        /// lose what was captured since then; the end of the process cannot.
        case onDemand
        /// After every commit.
        case everyCommit
    }

    /// The file's path.
    public let file: String
    private let synchronization: Synchronization
    private let lock = NSLock()
    private var log: EventLog?
    private var mayWait = true

    /// Opens nothing yet: the queue does at its first use, and tries again after a failure.
    ///
    /// - Parameter file: A path in an existing folder. The store creates more files next to it, which start with its name.
    public init(file: String, synchronization: Synchronization = .onDemand) {
        self.file = file
        self.synchronization = synchronization
    }

    public func load() throws -> StoreContents {
        try lock.withLock {
            // The lock of the old one has to go first.
            log = nil
            let waits = mayWait
            // While the file is busy, each call of the queue comes here; only the first one waits.
            mayWait = false
            let log = try EventLog.open(file, waits: waits)
            mayWait = true
            log.synchronizesCommits = synchronization == .everyCommit
            self.log = log
            return StoreContents(state: log.state, recovery: log.recovery)
        }
    }

    public func readAll(_ take: (StoredEvent) -> Void) throws { try lock.withLock { try open().events(take) } }

    public func commit(_ changes: StoreChanges) throws { try lock.withLock { try open().commit(changes) } }

    public func events(_ sequences: [Int64]) throws -> [StoredEvent] {
        try lock.withLock { try open().events(sequences) }
    }

    public func synchronize() throws { try lock.withLock { try open().synchronize() } }

    private func open() throws -> EventLog {
        guard let log else { throw EventStoreError(code: .unusable, file: file, detail: "is not loaded") }
        return log
    }

    // Files set aside.

    /// Damaged files that were set aside, the oldest first. At most three are kept.
    public static func damagedFiles(of file: String) -> [String] { EventLog.asides(of: file) }

    /// Deletes the damaged files, for example when the person opts out.
    public static func removeDamagedFiles(of file: String) { damagedFiles(of: file).forEach(LogFile.remove) }
}
