/// Which records belong on the device.
extension CRMSync {
    /// Changes the filter of an object while the app runs, for example after the user has got another territory. The next
    /// `refresh()` fetches what is missing and removes what no longer matches. The filter ends with the process and with the
    /// log-in of another user: what depends on the user alone belongs into `Configuration.filters`.
    ///
    /// - Throws: `CRMSyncError.locked` if the store cannot be opened.
    public func setFilter(_ filter: RecordFilter?, of object: String) async throws(CRMSyncError) {
        try await open().sync.setFilter(filter, of: object)
        board.update { $0.lifecycle.syncIsDue() }
    }

    /// Makes the next `refresh()` fetch all records of an object again. The records stay until then.
    ///
    /// - Throws: `CRMSyncError.locked` if the store cannot be opened, and what the store throws. Nothing has changed then.
    public func resync(_ object: String) async throws {
        try await open().sync.resync(object)
        board.update { $0.lifecycle.syncIsDue() }
    }
}
