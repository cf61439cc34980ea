import PushDispatch
import SelectiveSync

/// The app's REST client. Each call is checked before it begins and after it ends.
///
/// @unchecked: only the thread of the simulation uses it.
final class AuditedClient: RecordSource, @unchecked Sendable {
    private unowned let device: AuditedDevice
    private unowned let run: Run
    private let clock: ProcessClock
    private let client: RESTClient
    /// Records that a selective fetch of this process is requesting now.
    private(set) var underWay: Set<RecordID> = []

    init(_ device: AuditedDevice, _ clock: ProcessClock, _ http: SimulatedHTTP, _ session: OAuthSession) {
        self.device = device
        run = device.run
        self.clock = clock
        client = RESTClient(http: http, clock: clock) { refused in try await session.session(replacing: refused) }
    }

    func fetch(_ request: FetchRequest) async throws(FetchError) -> [FetchedRecord] {
        guard clock.isRunning else { throw SimulatedHTTP.processEnded }
        checkUser()
        let began = run.nextNumber()
        device.audit.requested(request, number: began)
        device.process?.asked(request.records)
        for record in request.records where !underWay.insert(record).inserted {
            run.reportViolation("\(device.name) has two requests under way for \(record)")
        }
        defer { underWay.subtract(request.records) }
        run.trace(
            "\(device.name) asks for \(request.records.count) of \(request.object): \(run.short(request.records))")
        let answers = try await call(isSelective: true) { () throws(FetchError) in
            try await self.client.fetch(request)
        }
        run.count(.recordRead, answers.count)
        if clock.isRunning { device.audit.answered(request, number: began) }
        return answers
    }

    func query(_ request: QueryRequest) async throws(FetchError) -> QueryPage {
        checkUser()
        run.trace("\(device.name) asks for \(request.next.map { "page \($0)" } ?? "changes") of \(request.object)")
        let page = try await call { () throws(FetchError) in try await self.client.query(request) }
        run.count(.recordRead, page.records.count)
        return page
    }

    func deletions(_ request: DeletionsRequest) async throws(FetchError) -> Deletions {
        checkUser()
        run.trace("\(device.name) asks for deletions of \(request.object)")
        return try await call { () throws(FetchError) in try await self.client.deletions(request) }
    }

    /// Checks that no request is sent while the user changes or after a log-out. A request already on its way is sent
    /// at the same moment at which the change begins.
    private func checkUser() {
        guard clock.isRunning, let process = device.process,
            let since = process.store.userChangeSince ?? process.loggedOutSince, run.timeline.now > since
        else { return }
        run.reportViolation("\(device.name) sends a request while its user changes or after a log-out")
    }

    private func call<Answer: Sendable>(
        overwrites: Bool = false, isSelective: Bool = false, _ body: @Sendable () async throws(FetchError) -> Answer
    ) async throws(FetchError) -> Answer {
        guard clock.isRunning else { throw SimulatedHTTP.processEnded }
        let call = SimulatedHTTP.Call(
            account: device.account, overwrites: overwrites, isSelective: isSelective)
        let result = await SimulatedHTTP.Call.$current.withValue(call) { () async -> Result<Answer, FetchError> in
            do throws(FetchError) {
                return .success(try await body())
            } catch {
                return .failure(error)
            }
        }
        guard clock.isRunning else { throw SimulatedHTTP.processEnded }
        return try result.get()
    }
}

// MARK: - Regular sync

/// A regular sync may fetch any record that its lists contain.
struct AuditedRegularSource: RecordSource {
    let client: AuditedClient

    func fetch(_ request: FetchRequest) async throws(FetchError) -> [FetchedRecord] {
        try await client.fetchListed(request)
    }

    func query(_ request: QueryRequest) async throws(FetchError) -> QueryPage { try await client.query(request) }

    func deletions(_ request: DeletionsRequest) async throws(FetchError) -> Deletions {
        try await client.deletions(request)
    }
}

extension AuditedClient {
    fileprivate func fetchListed(_ request: FetchRequest) async throws(FetchError) -> [FetchedRecord] {
        guard clock.isRunning else { throw SimulatedHTTP.processEnded }
        checkUser()
        let what = request.fields == ["Id"] ? "compares" : "fetches the listed"
        run.trace("\(device.name) \(what) \(request.records.count) of \(request.object): \(run.short(request.records))")
        let answers = try await call { () throws(FetchError) in try await self.client.fetch(request) }
        run.count(.recordRead, answers.count)
        return answers
    }
}

// MARK: - Uploads

/// An upload may read any record.
struct AuditedUploader: RecordUploader {
    static let maximumWrites = 2

    let client: AuditedClient
    let overwrites: Bool

    func fetch(_ request: FetchRequest) async throws(FetchError) -> [FetchedRecord] { try await client.read(request) }

    func write(
        _ writes: [RecordWrite], of object: String, timeoutMilliseconds: Int64
    ) async throws(FetchError) -> [UploadReply] {
        try await client.write(writes, of: object, timeoutMilliseconds, overwrites: overwrites)
    }

    func find(_ lookup: RecordLookup) async throws(FetchError) -> ServerRecord? { try await client.find(lookup) }
}

extension AuditedClient {
    fileprivate func read(_ request: FetchRequest) async throws(FetchError) -> [FetchedRecord] {
        checkUser()
        run.trace("\(device.name) reads \(run.short(request.records)) for an upload")
        let answers = try await call { () throws(FetchError) in try await self.client.fetch(request) }
        device.audit.edits.uploadRead(answers)
        return answers
    }

    fileprivate func find(_ lookup: RecordLookup) async throws(FetchError) -> ServerRecord? {
        checkUser()
        run.trace("\(device.name) looks for a new record of \(lookup.object)")
        return try await call { () throws(FetchError) in try await self.client.find(lookup) }
    }

    fileprivate func write(
        _ writes: [RecordWrite], of object: String, _ timeout: Int64, overwrites: Bool
    ) async throws(FetchError) -> [UploadReply] {
        checkUser()
        run.trace("\(device.name) sends \(writes.count) changes of \(object)")
        if writes.count > AuditedUploader.maximumWrites {
            run.reportViolation("\(device.name) sends too many changes in one call")
        }
        return try await call(overwrites: overwrites) { () throws(FetchError) in
            try await self.client.write(writes, of: object, timeoutMilliseconds: timeout)
        }
    }
}
