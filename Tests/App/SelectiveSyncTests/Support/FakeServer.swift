import PushDispatch
import SelectiveSync

/// A CRM in memory with records, deletions and pages. A test sets its clock.
actor FakeServer: RecordSource {
    private var records: [RecordID: ServerRecord] = [:]
    private var deletions: [Deletions.Deletion] = []
    private var lastPage = 0
    private var locators: [String: ArraySlice<ServerRecord>] = [:]
    /// Milliseconds since 1970.
    private(set) var now: Int64 = 1_700_000_000_000
    var pageSize = 3
    var faults: [Int: FetchError] = [:]
    var deletionsKnownSince: Int64 = 0
    var tellsTime = true
    /// The records that match a filter of any kind.
    private var isInScope: @Sendable (ServerRecord) -> Bool = { _ in true }
    /// The kinds of the calls, in order.
    private(set) var calls: [String] = []
    /// The ids of which whole records were fetched one by one.
    private(set) var fetched: [RecordID] = []
    /// Runs inside the call of this number, before it is answered.
    private var interruption: (call: Int, act: @Sendable (isolated FakeServer) -> Void)?

    func set(tellsTime: Bool) { self.tellsTime = tellsTime }

    func setScope(_ isInScope: @escaping @Sendable (ServerRecord) -> Bool) { self.isInScope = isInScope }

    func forgetCalls() { (calls, fetched) = ([], []) }

    func set(pageSize: Int? = nil, deletionsKnownSince: Int64? = nil, faults: [Int: FetchError] = [:]) {
        self.pageSize = pageSize ?? self.pageSize
        self.deletionsKnownSince = deletionsKnownSince ?? self.deletionsKnownSince
        self.faults = faults
    }

    func interrupt(call: Int, _ act: @escaping @Sendable (isolated FakeServer) -> Void) { interruption = (call, act) }

    func tick(_ milliseconds: Int64) { now += milliseconds }

    /// - Parameter stamp: The date of the record, for a change that is committed late.
    func put(_ number: Int, _ name: String, at stamp: Int64? = nil, _ others: [String: JSONValue] = [:]) {
        let date = JSONValue.string(ServerDate(millisecondsSince1970: stamp ?? now).description)
        records[.test(number)] = ServerRecord(
            id: .test(number),
            fields: [
                "Id": .string(RecordID.test(number).description), "Name": .string(name), "LastModifiedDate": date,
                "SystemModstamp": date,
            ].merging(others) { _, new in new })
    }

    func delete(_ number: Int, at stamp: Int64? = nil) {
        records[.test(number)] = nil
        deletions.append(Deletions.Deletion(.test(number), at: ServerDate(millisecondsSince1970: stamp ?? now)))
    }

    /// Removes a record without listing its deletion, like a change of a sharing rule.
    func hide(_ number: Int) { records[.test(number)] = nil }

    func names() -> [String: String] {
        Dictionary(
            uniqueKeysWithValues: records.map { ($0.key.description, $0.value.fields["Name"]?.string ?? "") })
    }

    private func begin(_ call: String) throws(FetchError) {
        calls.append(call)
        if let interruption, interruption.call == calls.count { interruption.act(self) }
        if let fault = faults[calls.count] { throw fault }
    }

    func fetch(_ request: FetchRequest) throws(FetchError) -> [FetchedRecord] {
        try begin("fetch")
        if request.fields != ["Id"] { fetched += request.records }
        return request.records.map { id in
            guard let record = records[id], request.filter == nil || isInScope(record) else { return .missing(id) }
            return .record(FakeServer.shown(record, request.fields))
        }
    }

    private static func shown(_ record: ServerRecord, _ fields: [String]) -> ServerRecord {
        var shown = record
        shown.fields = ["Id": .string(record.id.description)]
        for field in fields { shown.fields[field] = record.fields[field] ?? .null }
        return shown
    }

    func query(_ request: QueryRequest) throws(FetchError) -> QueryPage {
        let isList = request.fields == ["Id", request.orderField]
        try begin(request.next != nil ? "next" : isList ? request.filter == nil ? "list" : "list in scope" : "query")
        let rows: ArraySlice<ServerRecord>
        if let next = request.next {
            guard let left = locators[next] else {
                throw FetchError(FetchError.Code("INVALID_QUERY_LOCATOR"), status: 400, advice: .stop, "x")
            }
            rows = left
        } else {
            rows =
                records.values.filter { record in
                    (request.after.map { record.lastModifiedDate! > $0 } ?? true)
                        && (request.filter == nil || isInScope(record))
                }.sorted { ($0.lastModifiedDate!, $0.id.description) < ($1.lastModifiedDate!, $1.id.description) }[...]
        }
        var next: String?
        if rows.count > pageSize {
            lastPage += 1
            next = "page-\(lastPage)"
            locators[next!] = rows.dropFirst(pageSize)
        }
        return QueryPage(
            records: rows.prefix(pageSize).map { FakeServer.shown($0, request.fields) }, next: next,
            serverDate: tellsTime ? ServerDate(millisecondsSince1970: now) : nil)
    }

    func forgetLocators() { locators = [:] }

    func deletions(_ request: DeletionsRequest) throws(FetchError) -> Deletions {
        try begin("deletions")
        let known = ServerDate(millisecondsSince1970: deletionsKnownSince)
        let found = deletions.filter { $0.date >= max(request.start, known) && $0.date < request.end }
        let minute = now - now % 60_000
        return Deletions(
            deleted: found, earliestAvailable: known,
            covered: min(request.end, ServerDate(millisecondsSince1970: minute)))
    }
}
