import EventDelivery
import Foundation

/// The files of a run whose devices do not keep their events in memory: logs in one seed of ten, SQLite in another one.
///
/// A killed process closes nothing: its files are copied as they are, and the next process opens the copies.
final class ShopFiles {
    private let folder: URL
    private let open: @Sendable (String) -> any EventStore
    private var copies = 0

    /// Fails for a seed whose devices use memory.
    init?(_ files: SimulationFiles, seed: UInt64) throws {
        switch seed % SimulationFiles.seedsPerFile {
        case 0: open = files.openEvents
        case 5: open = { FileEventStore(file: $0) }
        default: return nil
        }
        folder = files.folder.appendingPathComponent("shop-\(seed)-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    /// A store whose files are those of `former`, or new ones.
    ///
    /// - Returns: The store and the folder of its files.
    func store(copyOf former: URL?) throws -> (store: any EventStore, folder: URL) {
        copies += 1
        let next = folder.appendingPathComponent("\(copies)")
        if let former {
            try FileManager.default.copyItem(at: former, to: next)
            try FileManager.default.removeItem(at: former)
        } else {
            try FileManager.default.createDirectory(at: next, withIntermediateDirectories: true)
        }
        // It describes the memory of the process that was killed.
        try? FileManager.default.removeItem(at: next.appendingPathComponent("events-shm"))
        return (open(next.appendingPathComponent("events").path), next)
    }

    func remove() { try? FileManager.default.removeItem(at: folder) }
}
