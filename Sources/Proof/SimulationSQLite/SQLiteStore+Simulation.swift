import EventDeliverySQLite
package import Foundation
package import SelectiveSync
package import SelectiveSyncSQLite
package import Simulation

extension SQLiteStore: SimulatedFile {
    package func records(of object: String) async throws -> [LocalRecord] {
        try await records(of: object, after: nil, limit: .max)
    }
}

extension SimulationFiles {
    /// Stores on SQLite, in a folder for temporary files.
    package static func sqlite(
        in folder: URL = FileManager.default.temporaryDirectory.appendingPathComponent("apns-simulation")
    ) -> SimulationFiles {
        SimulationFiles(
            folder: folder, open: { try SQLiteStore(file: $0, maximumPending: $1) },
            openEvents: { SQLiteEventStore(file: $0) })
    }
}
