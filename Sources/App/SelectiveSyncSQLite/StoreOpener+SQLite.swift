import DatabaseFiles
import Dispatch
public import Foundation
public import SelectiveSync

extension StoreOpener {
    /// Opens a database in a folder, and creates both if they do not exist. It is opened and migrated on a queue of its own, so
    /// neither the main thread nor a task waits. A damaged file is replaced; see `SQLiteStore.openOrReplace`.
    ///
    /// - Parameters:
    ///   - folder: A folder for the store alone. Its files get the protection class `completeUntilFirstUserAuthentication`.
    ///   - maximumPending: See `SQLiteStore.init`.
    ///   - indexes: What is prepared for queries; see `SQLiteStore.init`.
    public static func sqlite(
        in folder: URL, maximumPending: Int = 10_000, indexes: QueryIndexes = QueryIndexes()
    ) -> StoreOpener {
        StoreOpener {
            try await withCheckedThrowingContinuation { continuation in
                DispatchQueue(label: "SelectiveSync.open", qos: .userInitiated).async {
                    continuation.resume(with: Result { try opened(in: folder, maximumPending, indexes) })
                }
            }
        }
    }

    private static func opened(
        in folder: URL, _ maximumPending: Int, _ indexes: QueryIndexes
    ) throws -> Opened {
        dispatchPrecondition(condition: .notOnQueue(.main))
        let file = SQLiteStore.file(in: folder)
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            throw SQLiteStoreError(
                code: .unusable, file: folder.path, detail: "cannot be created; check that its folder is writable")
        }
        StoreProtection.apply(to: folder.path)
        let (store, replacement) = try SQLiteStore.openOrReplace(
            file: file, maximumPending: maximumPending, indexes: indexes)
        for path in DatabaseFiles(ofRecords: file).all { StoreProtection.apply(to: path) }
        return Opened(store, replacement: replacement.map { "\($0)" })
    }
}

extension SQLiteStore {
    /// The path of the database that `StoreOpener.sqlite(in:)` opens, for `damagedFiles(of:)` and `removeDamagedFiles(of:)`.
    public static func file(in folder: URL) -> String { folder.appendingPathComponent("records.sqlite").path }
}
