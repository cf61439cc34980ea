internal import APNSModel
internal import CPostgres
internal import Dispatch

/// One connection in pipeline mode. Use it only on its queue.
final class PostgresConnection {
    typealias Answer = Result<[PostgresRows], PostgresError>

    private let handle: PostgresHandle
    private let place: String
    private let maximumRows: Int
    private var pipeline: PostgresPipeline<(Answer) -> Void, PostgresRows>
    private var names: [String: String] = [:]
    private(set) var isOpen = true
    private var error: PostgresError?
    /// Called once, when the connection ends.
    var onClose: ((PostgresError) -> Void)?
    /// Called with the channel of each notification.
    var onNotification: ((String) -> Void)?
    /// Watches the socket for as long as it is set.
    private var reading: SocketWatch?
    private var writing: SocketWatch?
    /// Makes a watch whose handler calls `socketIsReady` on the queue.
    private let watch: (Int32, SocketWatch.Event) -> SocketWatch?

    /// - Parameter handle: A connection that is open.
    init(
        _ handle: consuming PostgresHandle, _ configuration: PostgresConfiguration,
        watch: @escaping (Int32, SocketWatch.Event) -> SocketWatch?
    ) {
        self.handle = handle
        place = configuration.place
        maximumRows = configuration.maximumRows
        pipeline = PostgresPipeline(
            maximumRequests: configuration.maximumRequests, maximumBytes: configuration.maximumRequestBytes)
        self.watch = watch
    }

    /// Turns pipeline mode on and begins to read.
    func start() {
        guard PQsetnonblocking(handle.raw, 1) == 0, PQenterPipelineMode(handle.raw) == 1 else {
            return fail(PostgresError(.connectionLost, "\(place): \(PostgresError.line(handle.message))"))
        }
        reading = watch(PQsocket(handle.raw), .readable)
        if reading == nil { fail(PostgresError(.connectFailed, "the process has no file descriptor left")) }
    }

    // MARK: Requests

    /// Sends statements that the server runs as one transaction.
    func send(_ statements: [PostgresStatement], deadline: MonotonicTime, _ answer: @escaping (Answer) -> Void) {
        guard isOpen else { return answer(.failure(error ?? closed)) }
        var byteCount = 0
        for statement in statements {
            for parameter in statement.parameters {
                guard let parameter else { continue }
                guard !parameter.utf8.contains(0) else {
                    return answer(
                        .failure(PostgresError(.badText, "a text has a zero byte, which PostgreSQL cannot store")))
                }
                byteCount += parameter.utf8.count
            }
        }
        if let refusal = pipeline.refusal(byteCount: byteCount) { return answer(.failure(refusal)) }
        var steps: [String?] = []
        var isSent = true
        var preparing: [String: String] = [:]
        for statement in statements where isSent {
            let name: String
            if let known = names[statement.sql] ?? preparing[statement.sql] {
                name = known
            } else {
                name = nextName()
                preparing[statement.sql] = name
                isSent = PQsendPrepare(handle.raw, name, statement.sql, Int32(statement.parameters.count), nil) == 1
                steps.append(statement.sql)
            }
            steps.append(nil)
            isSent = isSent && run(name, statement.parameters)
        }
        sending.merge(preparing) { $1 }
        pipeline.sent(answer, steps: steps, byteCount: byteCount, deadline: deadline)
        guard isSent, PQpipelineSync(handle.raw) == 1 else { return failBroken() }
        flush()
    }

    /// The names of texts whose preparation is under way.
    private var sending: [String: String] = [:]
    private var nameCount = 0

    private func nextName() -> String {
        nameCount += 1
        return "s\(nameCount)"
    }

    private func run(_ name: String, _ parameters: [String?]) -> Bool {
        PostgresHandle.withStrings(parameters) {
            PQsendQueryPrepared(handle.raw, name, Int32(parameters.count), $0, nil, nil, 0) == 1
        }
    }

    private func flush() {
        switch PQflush(handle.raw) {
        case 0: writing = nil
        case 1: if writing == nil { writing = watch(PQsocket(handle.raw), .writable) }
        default: failBroken()
        }
    }

    // MARK: Results

    /// The socket can be read or written.
    func socketIsReady(_ event: SocketWatch.Event) {
        guard isOpen else { return }
        // While it cannot write, libpq reads as well, or both ends would wait for each other.
        let isRead = PQconsumeInput(handle.raw) == 1
        if isRead, event == .writable || writing != nil { flush() }
        readResults()
        readNotifications()
        if isOpen, !isRead || handle.isBad { failBroken() }
    }

    private func readResults() {
        var ends = 0
        while isOpen, !pipeline.isEmpty, PQisBusy(handle.raw) == 0 {
            guard let raw = PQgetResult(handle.raw) else {
                // After the first end libpq continues with the next statement; a second end in a row means that no
                // result has arrived yet.
                ends += 1
                receive(.end)
                if ends > 1 { return }
                continue
            }
            ends = 0
            receive(event(PostgresRows(raw)))
        }
    }

    private func event(_ rows: PostgresRows) -> PostgresPipeline<(Answer) -> Void, PostgresRows>.Event {
        switch rows.status {
        case .rows:
            guard rows.count <= maximumRows else {
                return .error(
                    PostgresError(.resultTooLarge, "a result has \(rows.count) rows; \(maximumRows) are the most"))
            }
            return .rows(rows)
        case .command: return pipeline.isPreparing ? .done : .rows(rows)
        case .synchronized: return .synchronized
        case .skipped: return .skipped
        case .error(let error): return .error(error)
        }
    }

    private func receive(_ event: PostgresPipeline<(Answer) -> Void, PostgresRows>.Event) {
        switch pipeline.received(event) {
        case .nothing: break
        case .prepared(let text): names[text] = sending.removeValue(forKey: text)
        case .answer(let answer, let result):
            answer(result)
            if case .failure(let error) = result, error.endsConnection { fail(error) }
        case .unexpected:
            fail(PostgresError(.connectionLost, "\(place) sent a result that no statement asked for"))
        }
    }

    private func readNotifications() {
        while isOpen, let notice = PQnotifies(handle.raw) {
            let channel = String(cString: notice.pointee.relname)
            PQfreemem(notice)
            onNotification?(channel)
        }
    }

    // MARK: End

    /// When the first request waits too long; nil without requests.
    var deadline: MonotonicTime? { isOpen ? pipeline.deadline : nil }

    private var closed: PostgresError { PostgresError(.connectionLost, "the connection to \(place) ended") }

    private func failBroken() {
        let text = PostgresError.line(handle.message)
        let detail = text.isEmpty ? "\(place) closed the connection" : "the connection to \(place) broke: \(text)"
        fail(PostgresError(.connectionLost, detail))
    }

    /// Closes the connection. All requests that wait get `error`.
    func fail(_ error: PostgresError) {
        guard isOpen else { return }
        isOpen = false
        self.error = error
        reading = nil
        writing = nil
        var lost = error
        lost.mayHaveRun = true
        for answer in pipeline.end() { answer(.failure(lost)) }
        onClose?(error)
        onClose = nil
        onNotification = nil
    }
}
