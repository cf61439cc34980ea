package import APNSModel

/// The requests of a connection that wait for their results, which come in the order of the requests.
///
/// A request is some statements and then a synchronization, so that the server runs it as one transaction: after an error it
/// skips the rest of the request and undoes what it did. `Owner` is what the caller needs to answer it, `Rows` what a
/// statement gave.
package struct PostgresPipeline<Owner, Rows> {
    private struct Request {
        var owner: Owner
        /// For each step, the text that it prepares; nil for a step that runs a statement.
        var steps: [String?]
        var next = 0
        var hasResult = false
        var rows: [Rows] = []
        var error: PostgresError?
        var byteCount: Int
        var deadline: MonotonicTime
    }

    private var requests: [Request] = []
    private var first = 0
    private let maximumRequests: Int
    private let maximumBytes: Int
    private var byteCount = 0

    package init(maximumRequests: Int, maximumBytes: Int) {
        self.maximumRequests = maximumRequests
        self.maximumBytes = maximumBytes
    }

    package var count: Int { requests.count - first }
    package var isEmpty: Bool { count == 0 }

    /// Why a request of this size cannot be sent now; nil if it can.
    package func refusal(byteCount: Int) -> PostgresError? {
        if byteCount > maximumBytes {
            return PostgresError(.requestTooLarge, "a request has \(byteCount) bytes; \(maximumBytes) are the most")
        }
        if count >= maximumRequests || self.byteCount + byteCount > maximumBytes {
            return PostgresError(
                .tooManyRequests, "\(count) requests wait for the server's answers; it is slower than its work")
        }
        return nil
    }

    /// - Parameter steps: For each message before the synchronization, the text that it prepares, or nil.
    package mutating func sent(_ owner: Owner, steps: [String?], byteCount: Int, deadline: MonotonicTime) {
        precondition(!steps.isEmpty, "a request has statements")
        self.byteCount += byteCount
        requests.append(Request(owner: owner, steps: steps, byteCount: byteCount, deadline: deadline))
    }

    package enum Event {
        case rows(Rows)
        /// A statement has succeeded, and its result is not part of the answer, such as a preparation.
        case done
        case error(PostgresError)
        /// The server skips the statement, because one before it failed.
        case skipped
        /// There is no further result of this statement.
        case end
        /// The request is over.
        case synchronized
    }

    package enum OnEvent {
        case nothing
        /// The server keeps this text as a prepared statement.
        case prepared(String)
        case answer(Owner, Result<[Rows], PostgresError>)
        /// No request waits for it.
        case unexpected
    }

    package mutating func received(_ event: Event) -> OnEvent {
        guard !isEmpty else {
            if case .end = event { return .nothing }
            return .unexpected
        }
        let isStep = requests[first].next < requests[first].steps.count
        switch event {
        case .rows(let rows):
            guard isStep else { return .unexpected }
            requests[first].hasResult = true
            requests[first].rows.append(rows)
        case .done:
            guard isStep else { return .unexpected }
            requests[first].hasResult = true
            if let text = requests[first].steps[requests[first].next] { return .prepared(text) }
        case .error(let error):
            requests[first].hasResult = true
            if requests[first].error == nil { requests[first].error = error }
        case .skipped: requests[first].hasResult = true
        case .end:
            // Between two statements libpq may report an end that belongs to neither.
            guard isStep, requests[first].hasResult else { return .nothing }
            requests[first].next += 1
            requests[first].hasResult = false
        case .synchronized:
            let request = requests[first]
            removeFirst()
            byteCount -= request.byteCount
            return .answer(request.owner, request.error.map { .failure($0) } ?? .success(request.rows))
        }
        return .nothing
    }

    private mutating func removeFirst() {
        first += 1
        guard first == requests.count || first > 256 else { return }
        requests.removeFirst(first)
        first = 0
    }

    /// Whether the next result is that of a preparation.
    package var isPreparing: Bool {
        guard !isEmpty, requests[first].next < requests[first].steps.count else { return false }
        return requests[first].steps[requests[first].next] != nil
    }

    /// When the first request waits too long; nil without requests.
    package var deadline: MonotonicTime? { requests[first...].lazy.map(\.deadline).min() }

    /// The connection ended: all requests, each of which the server may have run.
    package mutating func end() -> [Owner] {
        defer {
            requests = []
            first = 0
            byteCount = 0
        }
        return requests[first...].map(\.owner)
    }
}
