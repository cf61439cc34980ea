import PushDispatch

/// Records as values of an app's own types.
///
/// A property's name is the API name of its field; `CodingKeys` give others. Fields that the type does not name stay as they are.
/// `Date` is read from a date-time or a date of the server, and written as a date-time with milliseconds in UTC. A number decodes
/// as every number type that has the value, so 5.0 is an `Int` too and 5.5 is not; `Decimal` has the digits that JSON has. A
/// Boolean is also read from 1 and 0. A field that is missing or `null` needs an optional property.
extension LocalRecord {
    /// The record as a value of `type`.
    ///
    /// - Throws: `DecodingError`, which names the field and no value.
    public func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try FieldsDecoder.decode(type, from: fields)
    }
}

extension QueryableStore {
    /// The records of a query as values of `type`.
    ///
    /// - Throws: `DecodingError` if a record does not fit, and what `records(_:)` throws.
    public func records<Value: Decodable>(_ type: Value.Type, _ query: RecordQuery) async throws -> [Value] {
        try await records(query).records.map { try $0.decode(type) }
    }
}

extension UploadStore {
    /// The record as a value of `type`; nil if there is none.
    public func record<Value: Decodable>(
        _ type: Value.Type, _ key: RecordKey, of object: String
    ) async throws -> Value? {
        try await record(key, of: object)?.decode(type)
    }
}

extension StoreSession {
    /// Changes a record as a value of `type`, in one transaction. Only the fields of properties that `body` changes are set and
    /// uploaded; a property that becomes nil sets its field to `null`.
    ///
    /// - Throws: `SyncStoreError.noRecord` or `.otherUser`, `DecodingError`, `EncodingError`, and what `body` throws; then nothing changes.
    public func edit<Value: Codable & Sendable>(
        _ key: RecordKey, of object: String, as type: Value.Type,
        _ body: @Sendable @escaping (inout Value) throws -> Void
    ) async throws {
        try await edit(key, of: object) { fields in
            var value = try FieldsDecoder.decode(type, from: fields)
            let before = try FieldsEncoder.encode(value)
            try body(&value)
            let after = try FieldsEncoder.encode(value)
            for name in Set(before.keys).union(after.keys) where before[name] != after[name] {
                fields[name] = after[name] ?? .null
            }
        }
    }

    /// Creates a record from a value under a new local key. A property that is nil sets no field.
    @discardableResult
    public func create(_ value: some Encodable, of object: String) async throws -> RecordKey {
        try await create(FieldsEncoder.encode(value).filter { $0.value != .null }, of: object)
    }
}
