public import PushDispatch

/// The user's edits. They are stored at once and uploaded later.
///
/// An edit belongs to the user who is logged in when the method is called. Each throws `CRMSyncError.loggedOut`, `.changingUser` or
/// `.otherUser` instead of editing records of somebody else, and `CRMSyncError.locked` if the store cannot be opened. A log-in or
/// log-out waits for edits that are being stored. A screen that may outlive its user keeps a `StoreSession` of `store()`.
extension CRMSync {
    /// Changes fields of a record. See `StoreSession.edit`.
    public nonisolated(nonsending) func edit(
        _ key: RecordKey, of object: String,
        _ body: @Sendable @escaping (inout [String: JSONValue]) throws -> Void
    ) async throws {
        try await change { try await $0.edit(key, of: object, body) }
    }

    /// Creates a record under a new local key. See `StoreSession.create`. Without `SyncObject.externalIDField`, which is nil by
    /// default, a lost answer to its upload can create it twice in the CRM.
    @discardableResult
    public nonisolated(nonsending) func create(_ fields: [String: JSONValue], of object: String) async throws
        -> RecordKey
    {
        try await change { try await $0.create(fields, of: object) }
    }

    /// Marks a record as deleted. See `StoreSession.delete`.
    public nonisolated(nonsending) func delete(_ key: RecordKey, of object: String) async throws {
        try await change { try await $0.delete(key, of: object) }
    }

    /// Ends a conflict as it was shown to the user. See `StoreSession.resolve`.
    public nonisolated(nonsending) func resolve(
        _ conflict: RecordConflict, of object: String, _ resolution: ConflictResolution
    ) async throws {
        try await change { try await $0.resolve(conflict, of: object, resolution) }
    }

    /// Takes back the user's edits of a record. See `StoreSession.discardEdits`.
    public nonisolated(nonsending) func discardEdits(_ key: RecordKey, of object: String) async throws {
        try await change { try await $0.discardEdits(key, of: object) }
    }

    /// Several edits of the user who is logged in. No change of users comes between them.
    public nonisolated(nonsending) func change<Value: Sendable>(
        _ edits: @Sendable @escaping (StoreSession) async throws -> Value
    ) async throws -> Value {
        // Read before this call waits for anything.
        let logIn = board.read(\.lifecycle.logIn)
        return try await change(logIn, edits)
    }

    private func change<Value: Sendable>(
        _ logIn: Int, _ edits: @Sendable (StoreSession) async throws -> Value
    ) async throws -> Value {
        let store = try await open().store
        switch board.update({ $0.lifecycle.beginEdit(of: logIn) }) {
        case .begin: break
        case .refused(let error): throw error
        }
        defer {
            if board.update({ $0.lifecycle.editEnded() }) {
                waitingChange?.resume()
                waitingChange = nil
            }
        }
        return try await edits(try await store.session())
    }
}
