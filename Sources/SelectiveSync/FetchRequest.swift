public import PushDispatch

/// Asks for some records of one object.
public struct FetchRequest: Hashable, Sendable {
    /// What the collection call takes at most (selective-sync.md 6.1).
    public static let maximumRecords = 2_000

    public var object: String
    /// At most `maximumRecords`, none twice.
    public var records: [RecordID]
    /// API names; `Id` is asked for in any case.
    public var fields: [String]
    /// How long the answer may take.
    public var timeoutMilliseconds: Int64

    public init(object: String, records: [RecordID], fields: [String], timeoutMilliseconds: Int64) {
        self.object = object
        self.records = records
        self.fields = fields
        self.timeoutMilliseconds = timeoutMilliseconds
    }
}
