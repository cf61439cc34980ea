/// What a push says has changed: where to look, never what is there.
public struct Hint: Hashable, Sendable, Codable {
    /// The payload's `type`.
    public var type: String
    /// The object's API name, such as `Account`.
    public var object: String
    /// None twice, in the order of the push. Where there is none, the whole object is meant, for its regular sync.
    public var records: [RecordID]
    /// API names of fields, none twice. A hint too: another push may have been dropped on the way, so a fetch asks for
    /// the app's whole field list all the same.
    public var changedFields: [String]

    public init(type: String, object: String, records: [RecordID], changedFields: [String] = []) {
        self.type = type
        self.object = object
        self.records = records
        self.changedFields = changedFields
    }
}
