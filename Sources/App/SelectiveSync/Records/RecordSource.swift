public import PushDispatch

/// Where the regular sync gets its records from, beyond single ones.
public protocol RecordSource: RecordFetcher {
    /// One page of what has changed, in the order of the modification date where the server can.
    ///
    /// A `next` that the server does not take any more is an error with the advice `stop`; the pass begins anew then.
    func query(_ request: QueryRequest) async throws(FetchError) -> QueryPage

    /// What was deleted in a span of time. Seconds do not count (docs/reference/selective-sync.md 6.4).
    func deletions(_ request: DeletionsRequest) async throws(FetchError) -> Deletions
}

/// Asks for a page of what has changed.
public struct QueryRequest: Hashable, Sendable {
    public var object: String
    /// API names; `Id` and the order field are among them.
    public var fields: [String]
    /// The modification date that `after` speaks of and that the records are sorted by; empty for any order.
    public var orderField: String
    /// Only what changed later; nil for everything.
    public var after: ServerDate?
    /// Where the page is, from the one before it; nil for the first.
    public var next: String?
    /// A wish: 200 to 2,000.
    public var pageSize: Int
    /// Whether deleted records come too, as `queryAll` brings them. The regular sync asks for deletions by themselves.
    public var includesDeleted = false
    public var timeoutMilliseconds: Int64

    public init(
        object: String, fields: [String], orderField: String, after: ServerDate? = nil, next: String? = nil,
        pageSize: Int = 2_000, timeoutMilliseconds: Int64
    ) {
        self.object = object
        self.fields = fields
        self.orderField = orderField
        self.after = after
        self.next = next
        self.pageSize = pageSize
        self.timeoutMilliseconds = timeoutMilliseconds
    }

    /// The query in the server's language; a date has no quotes there. All names were checked to be plain.
    ///
    /// - Throws: `badRequest` for a name that is not made of letters, digits, `_` and, in a field, dots.
    public func text() throws(FetchError) -> String {
        guard !fields.isEmpty, !orderField.isEmpty || after == nil else {
            throw FetchError(.badRequest, advice: .stop, "a query needs a field, and a date to go by where it has one")
        }
        for name in fields + [object] + (orderField.isEmpty ? [] : [orderField]) {
            guard !name.isEmpty, name.utf8.allSatisfy(QueryRequest.isPlain) else {
                throw FetchError(.badRequest, advice: .stop, "a field or object has a name that no query can hold")
            }
        }
        let filter = after.map { " WHERE \(orderField) > \($0.queryLiteral)" } ?? ""
        let order = orderField.isEmpty ? "" : " ORDER BY \(orderField)"
        return "SELECT \(fields.joined(separator: ",")) FROM \(object)\(filter)\(order)"
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "."):
            true
        default: false
        }
    }
}

/// One page of what has changed.
public struct QueryPage: Hashable, Sendable {
    public var records: [ServerRecord]
    /// Where the next page is; nil at the end.
    public var next: String?
    /// The server's clock when it answered, where it tells: the mark of a pass never goes beyond the first page's.
    public var serverDate: ServerDate?
    /// Records on all pages together, where the server counts.
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

/// Asks what was deleted.
public struct DeletionsRequest: Hashable, Sendable {
    public var object: String
    /// A whole minute, as is the end.
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

/// What was deleted in a span of time.
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
    /// What was deleted before this the server has forgotten.
    public var earliestAvailable: ServerDate?
    /// The next span begins here.
    public var covered: ServerDate

    public init(deleted: [Deletion], earliestAvailable: ServerDate? = nil, covered: ServerDate) {
        self.deleted = deleted
        self.earliestAvailable = earliestAvailable
        self.covered = covered
    }
}
