import EventDelivery
import Foundation
import GRDB

/// Replaces a damaged file by a new one with what can still be read.
enum EventRecovery {
    /// How many sequences in succession are tried where nothing can be read.
    private static let maximumFailures = 2_000

    static func replace(_ files: EventFiles) throws -> StoreRecovery {
        var count = 0
        do {
            EventFiles.remove(files.fresh)
            try EventFiles.makePrivate(files.fresh)
            let queue = try DatabaseQueue(path: files.fresh, configuration: EventDatabase.configuration)
            try queue.inDatabase { db in
                try EventDatabase.create(db)
                let statements = try EventStatements(db)
                try db.inTransaction {
                    var failure: (any Error)?
                    let state = read(files.main) { event in
                        guard failure == nil else { return }
                        do {
                            try statements.insert(event)
                            count += 1
                        } catch {
                            failure = error
                        }
                    }
                    if let failure { throw failure }
                    if let state { try statements.set(state) }
                    return .commit
                }
            }
            try queue.close()
        } catch {
            EventFiles.remove(files.fresh)
            throw SQLiteEventStore.reading(error, files.fresh)
        }
        return StoreRecovery(setAside: try files.replace(), events: count)
    }

    /// Passes the events that can be read, in the order of their sequences.
    ///
    /// - Returns: The state, if it can be read.
    private static func read(_ file: String, _ take: (StoredEvent) -> Void) -> [UInt8]? {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(1)
        guard let queue = try? DatabaseQueue(path: file, configuration: configuration) else { return nil }
        defer { try? queue.close() }
        return queue.inDatabase { db in
            guard let statements = try? EventStatements(db) else { return nil }
            var last: Int64 = 0
            var failures = 0
            while failures < maximumFailures {
                let before = last
                do {
                    try statements.events(after: &last, take)
                    break
                } catch {
                    // What comes next cannot be read; look behind it.
                    failures = last > before ? 0 : failures + 1
                    last += 1
                }
            }
            return (try? Data.fetchOne(db, sql: "SELECT value FROM state WHERE number = 1")).flatMap {
                $0.map { Array($0) }
            }
        }
    }
}
