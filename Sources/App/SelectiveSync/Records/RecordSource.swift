public import PushDispatch

/// Fetches what the regular sync needs: changes and deletions.
public protocol RecordSource: RecordFetcher {
    /// One page of the changed records, ordered by modification date if the server supports it.
    ///
    /// If the server no longer accepts `next`, the error has the advice `stop`, and the pass starts the query again.
    func query(_ request: QueryRequest) async throws(FetchError) -> QueryPage

    /// The records deleted in a span of time. The server ignores seconds (docs/reference/selective-sync.md 6.4).
    func deletions(_ request: DeletionsRequest) async throws(FetchError) -> Deletions
}

/// A request for a page of changed records.
public struct QueryRequest: Hashable, Sendable {
    public var object: String
    /// API names; `Id` and the order field are among them.
    public var fields: [String]
    /// The date field that `after` refers to and that sorts the records; empty for any order.
    public var orderField: String
    /// Only records changed later; nil for all.
    public var after: ServerDate?
    /// Only records that match; nil for all that the user may see.
    public var filter: RecordFilter?
    /// The address of the page, from the page before; nil for the first page.
    public var next: String?
    /// The preferred number of records, 200 to 2,000. The server may return others.
    public var pageSize: Int
    public var timeoutMilliseconds: Int64

    public init(
        object: String, fields: [String], orderField: String, after: ServerDate? = nil, filter: RecordFilter? = nil,
        next: String? = nil, pageSize: Int = 2_000, timeoutMilliseconds: Int64
    ) {
        self.object = object
        self.fields = fields
        self.orderField = orderField
        self.after = after
        self.filter = filter
        self.next = next
        self.pageSize = pageSize
        self.timeoutMilliseconds = timeoutMilliseconds
    }

    /// The query in the server's query language, where a date has no quotes. Names are checked, so that none can change
    /// the meaning of the query.
    ///
    /// - Throws: `badRequest` for a name that is not made of letters, digits, `_` and, in a field, dots.
    public func text() throws(FetchError) -> String {
        guard !fields.isEmpty, !orderField.isEmpty || after == nil else {
            throw FetchError(.badRequest, advice: .stop, "a query needs a field, and an order field if it has a date")
        }
        var names: [String] = []
        for name in fields { names.append(try QueryName.field(name)) }
        var conditions: [String] = []
        if let after { conditions.append("\(orderField) > \(after.queryLiteral)") }
        for part in filter?.conjuncts ?? [] { conditions.append(try part.text()) }
        let condition = conditions.isEmpty ? "" : " WHERE \(conditions.joined(separator: " AND "))"
        let order = orderField.isEmpty ? "" : " ORDER BY \(try QueryName.field(orderField))"
        return "SELECT \(names.joined(separator: ",")) FROM \(try QueryName.object(object))\(condition)\(order)"
    }
}

/// One page of changed records.
public struct QueryPage: Hashable, Sendable {
    public var records: [ServerRecord]
    /// The address of the next page; nil on the last page.
    public var next: String?
    /// The time of the server's clock when it answered, if known. A pass does not move the mark past the first page's.
    public var serverDate: ServerDate?
    /// The number of records on all pages, if the server counts them.
    public var totalSize: Int?

    public init(
        records: [ServerRecord], next: String? = nil, serverDate: ServerDate? = nil, totalSize: Int? = nil
    ) {
        self.records = records
        self.next = next
        self.serverDate = serverDate
        self.totalSize = totalSize
    }
}

/// A request for the records deleted in a span of time.
public struct DeletionsRequest: Hashable, Sendable {
    public var object: String
    /// A whole minute, like `end`.
    public var start: ServerDate
    public var end: ServerDate
    public var timeoutMilliseconds: Int64

    public init(object: String, start: ServerDate, end: ServerDate, timeoutMilliseconds: Int64) {
        self.object = object
        self.start = start
        self.end = end
        self.timeoutMilliseconds = timeoutMilliseconds
    }
}

/// The records deleted in a span of time.
public struct Deletions: Hashable, Sendable {
    public struct Deletion: Hashable, Sendable {
        public var record: RecordID
        public var date: ServerDate

        public init(_ record: RecordID, at date: ServerDate) {
            self.record = record
            self.date = date
        }
    }

    public var deleted: [Deletion]
    /// The server does not list deletions before this date.
    public var earliestAvailable: ServerDate?
    /// The list is complete up to this date, so the next span starts here.
    public var covered: ServerDate

    public init(deleted: [Deletion], earliestAvailable: ServerDate? = nil, covered: ServerDate) {
        self.deleted = deleted
        self.earliestAvailable = earliestAvailable
        self.covered = covered
    }
}
