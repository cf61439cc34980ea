/// What a push says has changed: the records, not their values.
public struct Hint: Hashable, Sendable, Codable {
    /// The payload's `type`.
    public var type: String
    /// The object's API name, such as `Account`.
    public var object: String
    /// In the order of the push, without repeats. Empty for a hint about the whole object, which needs a regular sync.
    public var records: [RecordID]
    /// API names of fields, without repeats. Not to be relied on: a push about another field may have been lost, so a
    /// fetch requests all fields that the app stores.
    public var changedFields: [String]

    public init(type: String, object: String, records: [RecordID], changedFields: [String] = []) {
        self.type = type
        self.object = object
        self.records = records
        self.changedFields = changedFields
    }
}
