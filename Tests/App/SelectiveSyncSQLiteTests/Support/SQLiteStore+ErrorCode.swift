import SelectiveSyncSQLite

extension SQLiteStore {
    /// Why a file cannot be opened; nil if it can.
    static func errorCode(opening file: String) -> SQLiteStoreError.Code? {
        do {
            _ = try SQLiteStore(file: file)
            return nil
        } catch {
            return (error as? SQLiteStoreError)?.code
        }
    }
}
