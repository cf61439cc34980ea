import PushDispatch
import SelectiveSync

/// The network between an app's process and the org, with its faults.
///
/// @unchecked: only the thread of the simulation uses it.
final class SimulatedRecordSource: RecordSource, @unchecked Sendable {
    private unowned let device: AuditedDevice
    private unowned let run: Run
    private let clock: ProcessClock
    private let number: Int
    /// Records that a selective fetch of this process is requesting now.
    private var underWay: Set<RecordID> = []

    init(_ device: AuditedDevice, _ clock: ProcessClock, process number: Int) {
        self.device = device
        run = device.run
        self.clock = clock
        self.number = number
    }

    func fetch(_ request: FetchRequest) async throws(FetchError) -> [FetchedRecord] {
        guard clock.isRunning else { throw processEnded }
        checkUser()
        // Only a comparison of ids requests no other field.
        let isComparison = request.fields == ["Id"]
        let began = run.nextNumber()
        if !isComparison {
            device.audit.requested(request, number: began)
            device.process?.asked(request.records)
            for record in request.records where !underWay.insert(record).inserted {
                run.reportViolation("\(device.name) has two requests under way for \(record)")
            }
        }
        defer { if !isComparison { underWay.subtract(request.records) } }
        let what = isComparison ? "compares" : "asks for"
        run.trace("\(device.name) \(what) \(request.records.count) of \(request.object): \(run.short(request.records))")
        let answers = try await call(request.timeoutMilliseconds) { run, user in
            run.org.fetch(request, for: user)
        }
        if !isComparison, clock.isRunning { device.audit.answered(request, number: began) }
        return answers
    }

    func query(_ request: QueryRequest) async throws(FetchError) -> QueryPage {
        checkUser()
        run.trace("\(device.name) asks for \(request.next.map { "page \($0)" } ?? "changes") of \(request.object)")
        let size = run.settings.pageSize
        return try await call(request.timeoutMilliseconds) { (run, user) throws(FetchError) in
            try run.org.query(request, for: user, size: size, at: run.orgNow)
        }
    }

    func deletions(_ request: DeletionsRequest) async throws(FetchError) -> Deletions {
        checkUser()
        run.trace("\(device.name) asks for deletions of \(request.object)")
        let isRefused = run.settings.refusesDeletions
        return try await call(request.timeoutMilliseconds) { (run, user) throws(FetchError) in
            if isRefused { throw FetchError(.notFound, status: 404, advice: .stop, "no list of deletions") }
            return run.org.deletions(request, at: run.orgNow)
        }
    }

    /// Checks that no request is sent while the user changes or after a log-out. A request already on its way is sent
    /// at the same moment at which the change begins.
    private func checkUser() {
        guard clock.isRunning, let process = device.process,
            let since = process.store.userChangeSince ?? process.loggedOutSince, run.timeline.now > since
        else { return }
        run.reportViolation("\(device.name) sends a request while its user changes or after a log-out")
    }
}

// MARK: - Uploads

/// An upload may read any record.
struct SimulatedUploader: RecordUploader {
    static let maximumWrites = 2

    let source: SimulatedRecordSource

    func fetch(_ request: FetchRequest) async throws(FetchError) -> [FetchedRecord] { try await source.read(request) }

    func write(
        _ writes: [RecordWrite], of object: String, timeoutMilliseconds: Int64
    ) async throws(FetchError) -> [UploadReply] {
        try await source.write(writes, of: object, timeoutMilliseconds)
    }
}

extension SimulatedRecordSource {
    fileprivate func read(_ request: FetchRequest) async throws(FetchError) -> [FetchedRecord] {
        guard clock.isRunning else { throw processEnded }
        checkUser()
        run.trace("\(device.name) reads \(run.short(request.records)) for an upload")
        let answers = try await call(request.timeoutMilliseconds) { run, user in run.org.fetch(request, for: user) }
        device.audit.uploadRead(answers)
        return answers
    }

    fileprivate func write(
        _ writes: [RecordWrite], of object: String, _ timeout: Int64
    ) async throws(FetchError) -> [UploadReply] {
        guard clock.isRunning else { throw processEnded }
        checkUser()
        run.trace("\(device.name) sends \(writes.count) changes of \(object)")
        if writes.count > SimulatedUploader.maximumWrites {
            run.reportViolation("\(device.name) sends too many changes in one call")
        }
        return try await call(timeout) { run, user in
            writes.map { write in
                if let refusal = run.editRefusal() { return refusal }
                let (reply, pushes) = run.org.write(write, of: object, by: user, at: run.orgNow)
                if case .done = reply { device.audit.accepted(write) }
                run.pushService.send(pushes)
                return reply
            }
        }
    }
}

// MARK: - Network

extension SimulatedRecordSource {
    private func call<Answer>(
        _ timeout: Int64, _ answer: (Run, RecordID) throws(FetchError) -> Answer
    ) async throws(FetchError) -> Answer {
        let deadline = clock.now().advanced(byMilliseconds: timeout)
        let first = try await session(refused: nil, deadline)
        try await passNetwork(deadline)
        if run.injectsFault(run.settings.sessionEndPercent) { run.org.endSession(first) }
        if let user = run.org.user(of: first) { return try await reply(answer, user, deadline) }
        run.count(.sessionExpired)
        run.trace("\(device.name) learns that its session has expired")
        try await passNetwork(deadline)
        let second = try await session(refused: first, deadline)
        try await passNetwork(deadline)
        if run.injectsFault(run.settings.sessionEndPercent) { run.org.endSession(second) }
        guard let user = run.org.user(of: second) else {
            throw FetchError(.invalidSessionID, status: 401, advice: .logIn, "the new session is refused too")
        }
        return try await reply(answer, user, deadline)
    }

    private func reply<Answer>(
        _ answer: (Run, RecordID) throws(FetchError) -> Answer, _ user: RecordID, _ deadline: DispatchMoment
    ) async throws(FetchError) -> Answer {
        let made: Answer
        do throws(FetchError) {
            if let refusal = run.serverRefusal() { throw refusal }
            made = try answer(run, user)
        } catch {
            run.trace("the org refuses \(device.name): \(error.code)")
            try await passNetwork(deadline)
            throw error
        }
        try await passNetwork(deadline)
        return made
    }

    /// The session of the current user; a new one if `refused` is the current one.
    private func session(refused: String?, _ deadline: DispatchMoment) async throws(FetchError) -> String {
        guard clock.isRunning else { throw processEnded }
        guard let account = device.account else { throw noSession }
        if let session = device.session, session != refused { return session }
        try await passNetwork(deadline)
        guard device.account == account else { throw noSession }
        // Another task of this app may have renewed the session meanwhile.
        if let session = device.session, session != refused { return session }
        if run.injectsFault(run.settings.sessionEndPercent) {
            run.count(.loginNeeded)
            throw FetchError(.invalidGrant, status: 400, advice: .logIn, "the session is not renewed")
        }
        let renewed = run.org.openSession(for: account)
        device.session = renewed
        return renewed
    }

    /// One direction of a call: request or answer.
    private func passNetwork(_ deadline: DispatchMoment) async throws(FetchError) {
        guard clock.isRunning else { throw processEnded }
        guard device.network != .offline else { throw offline }
        let trip = run.trip()
        let arrival = trip.milliseconds.map { clock.now().advanced(byMilliseconds: $0) } ?? deadline
        do {
            try await clock.sleep(until: min(arrival, deadline))
        } catch {
            throw FetchError(.cancelled, advice: .retryLater, "stopped")
        }
        guard clock.isRunning else { throw processEnded }
        if trip.milliseconds == nil || arrival > deadline {
            throw FetchError(.timeout, advice: .retryLater, "no answer in time")
        }
        if trip.isBroken || device.network == .offline { throw offline }
    }

    private var offline: FetchError { FetchError(.network, advice: .retryLater, "no connection") }
    private var noSession: FetchError { FetchError(.noSession, advice: .logIn, "nobody is logged in") }
    private var processEnded: FetchError { FetchError(.cancelled, advice: .retryLater, "the process has ended") }
}
