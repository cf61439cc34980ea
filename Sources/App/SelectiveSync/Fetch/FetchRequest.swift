public import PushDispatch

/// A request for records of one object.
public struct FetchRequest: Hashable, Sendable {
    /// The limit of the collection call (docs/reference/selective-sync.md 6.1).
    public static let maximumRecords = 2_000

    public var object: String
    /// At most `maximumRecords`, without duplicates.
    public var records: [RecordID]
    /// API names; `Id` is always requested.
    public var fields: [String]
    /// Only records that match; nil for all that the user may see. A record that does not match counts as missing.
    public var filter: RecordFilter?
    /// How long the answer may take.
    public var timeoutMilliseconds: Int64

    public init(
        object: String, records: [RecordID], fields: [String], filter: RecordFilter? = nil, timeoutMilliseconds: Int64
    ) {
        self.object = object
        self.records = records
        self.fields = fields
        self.filter = filter
        self.timeoutMilliseconds = timeoutMilliseconds
    }

    /// Checks that there is one answer for each id, in the same order. Otherwise the wrong hints would count as served.
    ///
    /// - Throws: `badReply`; the request can be tried again.
    func check(_ answers: [FetchedRecord]) throws(FetchError) {
        guard answers.count == records.count, zip(answers, records).allSatisfy({ $0.id == $1 }) else {
            throw FetchError(.badReply, advice: .retryLater, "the answers are not those of the \(records.count) ids")
        }
    }
}
