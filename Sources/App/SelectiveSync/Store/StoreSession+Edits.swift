public import PushDispatch

/// The user's edits. Each is one transaction, and throws `SyncStoreError.otherUser` once the store holds another user's records.
extension StoreSession {
    /// Changes fields of a record in one transaction. Only these fields are uploaded.
    ///
    /// - Parameter body: Gets the stored fields. It has to set the fields that the user has changed, and no others. Fields
    ///   that the server sets keep their values.
    /// - Throws: `SyncStoreError.noRecord`, and what `body` throws; then nothing changes.
    public func edit(
        _ key: RecordKey, of object: String,
        _ body: @Sendable @escaping (inout [String: JSONValue]) throws -> Void
    ) async throws {
        try await changeOne(key, of: object) { change in
            guard var record = change.record, !record.changes.contains(.deleted) else {
                throw SyncStoreError.noRecord
            }
            try record.edit(body)
            change.record = record
        }
    }

    /// Creates a record under a new local key. It is dirty until it is uploaded.
    ///
    /// - Parameter fields: A field that refers to another record can hold its local key (`RecordKey.description`). It gets the
    ///   id as soon as that record has one, and the new record is uploaded after it.
    @discardableResult
    public func create(_ fields: [String: JSONValue], of object: String) async throws -> RecordKey {
        var generator = SystemRandomNumberGenerator()
        return try await create(fields, of: object, using: &generator)
    }

    package func create(
        _ fields: [String: JSONValue], of object: String, using generator: inout some RandomNumberGenerator
    ) async throws -> RecordKey {
        for _ in 0..<100 {
            let record = LocalRecord(new: fields, using: &generator)
            do {
                try await changeOne(record.key, of: object) { change in
                    guard change.record == nil else { throw SyncStoreError.keyTaken }
                    change.record = record
                }
                return record.key
            } catch SyncStoreError.keyTaken {
                continue
            }
        }
        throw SyncStoreError.keyTaken
    }

    /// Marks a record as deleted until its deletion is uploaded. One that the server has never seen is removed at once. Nothing
    /// happens if no record has the key.
    public func delete(_ key: RecordKey, of object: String) async throws {
        try await changeOne(key, of: object) { change in
            if change.record?.delete() == false { change.record = nil }
        }
    }

    /// Ends a conflict as it was shown to the user. Where the server's version has changed since, the record stays in
    /// conflict.
    public func resolve(
        _ conflict: RecordConflict, of object: String, _ resolution: ConflictResolution
    ) async throws {
        try await changeOne(conflict.key, of: object) { change in
            if change.record?.resolve(resolution, shown: conflict) == false { change.record = nil }
        }
    }

    /// Ends the conflict of a record, whatever the server's version is by now. Nothing happens if it has none.
    public func resolve(_ key: RecordKey, of object: String, _ resolution: ConflictResolution) async throws {
        try await changeOne(key, of: object) { change in
            if change.record?.resolve(resolution) == false { change.record = nil }
        }
    }

    /// Discards the user's edits of a record. It has the server's version then; one that the server does not show is removed.
    public func discardEdits(_ key: RecordKey, of object: String) async throws {
        try await changeOne(key, of: object) { change in
            guard change.record?.isDirty == true else { return }
            if change.record?.discardEdits() == false { change.record = nil }
        }
    }

    private func changeOne(
        _ key: RecordKey, of object: String, _ body: @Sendable @escaping (inout RecordChange) throws -> Void
    ) async throws {
        _ = try await store.change([key], of: object, in: generation) { change in
            let wasDirty = change.record?.isDirty == true
            try body(&change)
            // Edits kept it here also while it was out of scope, and perhaps the server's version is not known.
            change.isFetchedAgain = wasDirty && change.record?.isDirty == false
        }
    }
}

extension UploadStore {
    /// The conflicts that wait for a decision.
    public func conflicts(of object: String) async throws -> [RecordConflict] {
        try await dirtyRecords(of: object).compactMap(\.conflict)
    }
}

extension LocalRecord {
    /// A new record with a random key and a random external id of 32 hexadecimal digits.
    fileprivate init(new fields: [String: JSONValue], using generator: inout some RandomNumberGenerator) {
        self.init(.newLocal(using: &generator), fields: fields, changes: .created)
        let digits = Array("0123456789abcdef")
        externalID = String((0..<32).map { _ in digits[Int.random(in: 0..<16, using: &generator)] })
    }
}
