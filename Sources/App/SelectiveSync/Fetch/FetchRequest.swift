public import PushDispatch

/// Asks for some records of one object.
public struct FetchRequest: Hashable, Sendable {
    /// What the collection call takes at most (docs/reference/selective-sync.md 6.1).
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

    /// Whether the answers are one for each id, in the same order: anything else would take the wrong hints for served.
    ///
    /// - Throws: `badReply`, which is worth another try.
    func check(_ answers: [FetchedRecord]) throws(FetchError) {
        guard answers.count == records.count, zip(answers, records).allSatisfy({ $0.id == $1 }) else {
            throw FetchError(.badReply, advice: .retryLater, "the answers are not those of the \(records.count) ids")
        }
    }
}
