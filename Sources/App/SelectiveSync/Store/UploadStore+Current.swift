package import PushDispatch

/// Changes by the user whose records the store holds when the call is made, for tests and benchmarks: they keep no session.
extension UploadStore {
    package func edit(
        _ key: RecordKey, of object: String,
        _ body: @Sendable @escaping (inout [String: JSONValue]) throws -> Void
    ) async throws {
        try await session().edit(key, of: object, body)
    }

    @discardableResult
    package func create(_ fields: [String: JSONValue], of object: String) async throws -> RecordKey {
        try await session().create(fields, of: object)
    }

    package func delete(_ key: RecordKey, of object: String) async throws {
        try await session().delete(key, of: object)
    }

    package func resolve(
        _ conflict: RecordConflict, of object: String, _ resolution: ConflictResolution
    ) async throws {
        try await session().resolve(conflict, of: object, resolution)
    }

    package func resolve(_ key: RecordKey, of object: String, _ resolution: ConflictResolution) async throws {
        try await session().resolve(key, of: object, resolution)
    }

    package func discardEdits(_ key: RecordKey, of object: String) async throws {
        try await session().discardEdits(key, of: object)
    }

    package func change<Value: Sendable>(
        _ keys: [RecordKey], of object: String, _ body: @Sendable @escaping (inout RecordChange) throws -> Value
    ) async throws -> [Value] {
        try await change(keys, of: object, in: generation(), body)
    }

    package func uploaded(_ sent: LocalRecord, _ outcome: UploadOutcome, of object: String) async throws {
        try await uploaded(sent, outcome, of: object, in: generation())
    }
}
