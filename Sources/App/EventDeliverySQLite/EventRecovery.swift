import DatabaseFiles
import EventDelivery
import Foundation
import GRDB

/// Replaces a damaged file by a new one with what can still be read.
enum EventRecovery {
    static func replace(_ files: DatabaseFiles) throws {
        do {
            files.removeFresh()
            try files.makePrivate(files.fresh)
            let queue = try DatabaseQueue(path: files.fresh, configuration: EventDatabase.configuration(waits: false))
            try queue.inDatabase { db in
                try EventDatabase.create(db)
                let statements = try EventStatements(db)
                try db.inTransaction {
                    var count = 0
                    var failure: (any Error)?
                    let state = read(files) { event in
                        guard failure == nil else { return }
                        do {
                            try statements.insert(event)
                            count += 1
                        } catch {
                            failure = error
                        }
                    }
                    if let failure { throw failure }
                    if let state { try statements.set(state, in: .state) }
                    let mark = RecoveryMark(name: files.nextAsideName, events: count)
                    try statements.set(Array(JSONEncoder().encode(mark)), in: .recovery)
                    return .commit
                }
            }
            try queue.close()
        } catch {
            files.removeFresh()
            throw SQLiteEventStore.reading(error, files.fresh)
        }
        try files.replace()
    }

    /// Passes the events that can be read.
    ///
    /// - Returns: The state, if it can be read.
    private static func read(_ files: DatabaseFiles, _ take: (StoredEvent) -> Void) -> [UInt8]? {
        // SQLite would delete the log of a file without a first page.
        guard !files.hasNoPage else { return nil }
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(1)
        guard let queue = try? DatabaseQueue(path: files.main, configuration: configuration) else { return nil }
        defer { try? queue.close() }
        return queue.inDatabase { db in
            guard let statements = try? EventStatements(db) else { return nil }
            withoutActuallyEscaping(take) { take in
                var reader = GapReader(scan: { statements.scan($0, isForward: $1, take) })
                reader.readAll(1..<EventStatements.endOfSequences)
            }
            return (try? statements.value(.state)) ?? nil
        }
    }
}

/// Stored in the new file until the queue has stored a state.
struct RecoveryMark: Codable {
    /// The name of the file that was set aside.
    var name: String
    var events: Int
}
