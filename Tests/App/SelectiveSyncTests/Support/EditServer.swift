import PushDispatch
import SelectiveSync

/// A CRM in memory that takes edits. Its clock ticks with each change; a test sets conditions and refusals.
actor EditServer: RecordUploader {
    private(set) var records: [RecordID: [String: JSONValue]] = [:]
    /// Each write, with the size of its call.
    private(set) var writes: [(write: RecordWrite, count: Int)] = []
    private(set) var calls: [String] = []
    private var now: Int64 = 1_700_000_000_000
    private var lastNumber = 900
    private var replies: [RecordID: UploadReply] = [:]
    /// Records by the external id under which they were created.
    private var external: [String: RecordID] = [:]
    private var faults: [Int: FetchError] = [:]
    private var named: [String: FetchError] = [:]
    private var names: [String: String] = [:]
    private var failsFinds = true
    /// Calls that take effect but whose answer is lost.
    private var lost: Set<Int> = []
    private var interruption: (call: Int, act: @Sendable () async -> Void)?

    func fail(call: Int, _ error: FetchError) { faults[call] = error }
    func loseAnswer(of call: Int) { lost.insert(call) }
    func answer(_ id: RecordID, with reply: UploadReply) { replies[id] = reply }
    func interrupt(call: Int, _ act: @escaping @Sendable () async -> Void) { interruption = (call, act) }
    func remove(_ id: RecordID) { records[id] = nil }

    /// Calls about a new record with this name fail; nil ends that.
    func fail(named name: String, _ error: FetchError?, finds: Bool = true) {
        named[name] = error
        failsFinds = finds
    }

    /// A change by somebody else.
    ///
    /// - Parameter isAutomatic: The change moves `SystemModstamp` alone.
    @discardableResult
    func put(_ id: RecordID, _ fields: [String: JSONValue], isAutomatic: Bool = false) -> ServerRecord {
        now += 1_000
        let date = JSONValue.string(ServerDate(millisecondsSince1970: now).description)
        var all = (records[id] ?? [:]).merging(fields) { _, new in new }
        all["Id"] = .string(id.description)
        if !isAutomatic { all["LastModifiedDate"] = date }
        all["SystemModstamp"] = date
        records[id] = all
        return ServerRecord(id: id, fields: all)
    }

    private func begin(_ call: String) async throws(FetchError) {
        calls.append(call)
        if let interruption, interruption.call == calls.count { await interruption.act() }
        if let fault = faults[calls.count] { throw fault }
    }

    func fetch(_ request: FetchRequest) async throws(FetchError) -> [FetchedRecord] {
        try await begin("fetch")
        return request.records.map { id in
            guard let row = records[id] else { return .missing(id) }
            var fields: [String: JSONValue] = ["Id": .string(id.description)]
            for field in request.fields { fields[field] = row[field] ?? .null }
            return .record(ServerRecord(id: id, fields: fields))
        }
    }

    func write(
        _ writes: [RecordWrite], of object: String, timeoutMilliseconds: Int64
    ) async throws(FetchError) -> [UploadReply] {
        try await begin("write")
        for case .upsert(_, let value, let fields) in writes {
            names[value] = fields["Name"]?.string
            if let error = fault(value) { throw error }
        }
        let answers = writes.map { write in
            self.writes.append((write, writes.count))
            return perform(write)
        }
        if lost.contains(calls.count) { throw FetchError(.network, advice: .retryLater, "x") }
        return answers
    }

    func find(_ lookup: RecordLookup) async throws(FetchError) -> ServerRecord? {
        try await begin("find")
        if failsFinds, let error = fault(lookup.value) { throw error }
        return external[lookup.value].flatMap { id in records[id].map { ServerRecord(id: id, fields: $0) } }
    }

    private func fault(_ externalID: String) -> FetchError? { names[externalID].flatMap { named[$0] } }

    private func perform(_ write: RecordWrite) -> UploadReply {
        switch write {
        case .create(let fields):
            lastNumber += 1
            put(.test(lastNumber), fields)
            return .done(id: .test(lastNumber), nil)
        case .upsert(_, let value, let fields):
            if let id = external[value], records[id] != nil {
                put(id, fields)
                return .done(id: id, nil)
            }
            external[value] = .test(lastNumber + 1)
            return perform(.create(fields))
        case .update(let id, let fields, let date):
            if let refusal = refusal(id, date) { return refusal }
            put(id, fields)
        case .delete(let id):
            if let refusal = refusal(id, nil) { return refusal }
            records[id] = nil
        }
        return .done(id: nil, nil)
    }

    private func refusal(_ id: RecordID, _ date: ServerDate?) -> UploadReply? {
        if let reply = replies[id] { return reply }
        guard let fields = records[id] else { return .notFound }
        guard let date, let mine = fields["LastModifiedDate"]?.string.flatMap({ ServerDate($0) }) else { return nil }
        return mine > date ? .changed : nil
    }
}
