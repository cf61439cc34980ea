/// What a store prepares for queries. The app declares it when it opens the store.
///
/// Every query works without it, except a full-text search; an index makes it fast. Each index takes space, and time in each
/// change of a record.
///
/// ```swift
/// let indexes = QueryIndexes(
///     [
///         RecordIndex("Account", ["Type", "Name"]),
///         RecordIndex("Visit__c", [RecordField("StartsAt__c").asDate]),
///     ], search: ["Account": ["Name", "BillingCity"]])
/// ```
public struct QueryIndexes: Hashable, Sendable {
    public var indexes: [RecordIndex]
    /// The fields of each object that the full-text search reads. Each word of their text is stored a second time.
    public var search: [String: [RecordField]]

    public init(_ indexes: [RecordIndex] = [], search: [String: [String]] = [:]) {
        self.indexes = indexes
        self.search = search.mapValues { $0.map { RecordField($0) } }
    }

    /// - Throws: `RecordQueryError` for a name that is not allowed, or an index or search without fields.
    package func validate() throws(RecordQueryError) {
        for (object, fields) in indexes.map({ ($0.object, $0.fields) }) + search.map({ ($0.key, $0.value) }) {
            guard RecordField.isPlain(object), fields.allSatisfy(\.isValid) else {
                throw RecordQueryError(.name, "an index of \(object) has a name that is not allowed")
            }
            guard (1...RecordQuery.maximumOrders).contains(fields.count) else {
                throw RecordQueryError(
                    .tooLarge, "an index of \(object) has no field, or more than \(RecordQuery.maximumOrders)")
            }
        }
    }
}

/// Fields of an object by which a store finds and sorts records quickly.
///
/// It serves queries that compare its first fields with `==` and the next one in any way, or sort by the next ones: first the
/// fields of `==`, then those of the order. The readings have to be those of the query.
public struct RecordIndex: Hashable, Sendable {
    public var object: String
    public var fields: [RecordField]

    public init(_ object: String, _ fields: [RecordField]) {
        self.object = object
        self.fields = fields
    }

    public init(_ object: String, _ names: [String]) { self.init(object, names.map { RecordField($0) }) }
}
