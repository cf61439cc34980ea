package import PushDispatch

/// Fields that hold the key of a record that has no id of the server yet.
extension LocalRecord {
    /// The local keys that fields of this record hold.
    package var references: Set<RecordKey> { LocalRecord.references(in: fields) }

    static func references(in fields: [String: JSONValue]) -> Set<RecordKey> {
        var keys: Set<RecordKey> = []
        for (name, value) in fields where name != "Id" {
            guard case .string(let text) = value, let key = RecordKey(text), key.id == nil else { continue }
            keys.insert(key)
        }
        return keys
    }

    /// Replaces the key of a record by its new id: a local key in all versions, the id of a record that was created again only in
    /// fields that the user has set, because the server's version still has it.
    package mutating func follow(_ key: RecordKey, to id: RecordID) {
        let (old, new) = (JSONValue.string(key.description), JSONValue.string(id.description))
        guard key.id == nil else {
            for (name, value) in unsent() where value == old { fields[name] = new }
            return
        }
        func followed(_ fields: [String: JSONValue]) -> [String: JSONValue] {
            var fields = fields
            for (name, value) in fields where value == old && name != "Id" { fields[name] = new }
            return fields
        }
        fields = followed(fields)
        base = base.map(followed)
        theirs = theirs.map(followed)
        sent = sent.map(followed)
    }
}

extension RecordChange {
    /// Replaces the local keys of uploaded records by their ids, and notes those that no record has.
    ///
    /// - Parameter find: The record with a local key, of any object.
    package mutating func followReferences(_ find: (RecordKey) throws -> RecordKey?) rethrows {
        missingReferences = []
        for key in record?.references ?? [] {
            switch try find(key) {
            case .server(let id)?: record?.follow(key, to: id)
            case .local?: break
            case nil: missingReferences.insert(key)
            }
        }
    }
}
