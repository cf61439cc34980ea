import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A URLSession with a limit on the size of a reply and one on the duration of the whole exchange. It does not follow
/// redirects, which would send the access token to another address, and stores neither replies nor cookies.
final class BoundedHTTP: HTTPTransport {
    private let session: URLSession
    private let exchanges: Exchanges

    init(_ configuration: URLSessionConfiguration, maximumBytes: Int) {
        exchanges = Exchanges(maximumBytes: maximumBytes)
        // A configuration is a reference: without the copy the caller's own configuration would change.
        let configuration = configuration.copy() as? URLSessionConfiguration ?? .ephemeral
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        session = URLSession(configuration: configuration, delegate: exchanges, delegateQueue: nil)
    }

    // A session retains its delegate until it is invalidated.
    deinit { session.finishTasksAndInvalidate() }

    func send(_ request: URLRequest, within milliseconds: Int64) async throws(FetchError) -> RESTReply {
        guard milliseconds > 0 else {
            throw FetchError(.timeout, advice: .retryLater, "no time left for a request")
        }
        var request = request
        // The timer of the exchange decides. URLSession's own timeout counts whole seconds on Linux, and treats less than one
        // second as none.
        request.timeoutInterval = (Double(milliseconds) / 1_000).rounded(.up) + 1
        let task = session.dataTask(with: request)
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                exchanges.begin(task, within: milliseconds, continuation)
            }
        } onCancel: {
            exchanges.end(task, because: .cancelled)
        }
        return try result.get()
    }
}

/// The bytes received so far on each task.
///
/// `@unchecked Sendable` because the lock protects `open` and `ended`.
private final class Exchanges: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    typealias Outcome = Result<RESTReply, FetchError>

    enum End { case cancelled, late, tooLarge }

    private struct Exchange {
        var continuation: CheckedContinuation<Outcome, Never>
        var body: [UInt8] = []
        var end: End?
        var timer: Task<Void, Never>?
    }

    private let maximumBytes: Int
    private let lock = NSLock()
    private var open: [Int: Exchange] = [:]
    /// Tasks that were cancelled before they started.
    private var ended: Set<Int> = []

    init(maximumBytes: Int) { self.maximumBytes = maximumBytes }

    func begin(
        _ task: URLSessionDataTask, within milliseconds: Int64, _ continuation: CheckedContinuation<Outcome, Never>
    ) {
        let isWanted = lock.withLock { () -> Bool in
            guard ended.remove(task.taskIdentifier) == nil else { return false }
            var exchange = Exchange(continuation: continuation)
            exchange.timer = Task { [weak self] in
                let nanoseconds = UInt64(min(milliseconds, 86_400_000)) * 1_000_000
                guard (try? await Task.sleep(nanoseconds: nanoseconds)) != nil else { return }
                self?.end(task, because: .late)
            }
            open[task.taskIdentifier] = exchange
            return true
        }
        guard isWanted else {
            task.cancel()
            return continuation.resume(returning: .failure(failure(.cancelled)))
        }
        task.resume()
    }

    func end(_ task: URLSessionDataTask, because end: End) {
        let isOpen = lock.withLock { () -> Bool in
            guard open[task.taskIdentifier] != nil else {
                if end == .cancelled { ended.insert(task.taskIdentifier) }
                return false
            }
            if open[task.taskIdentifier]?.end == nil { open[task.taskIdentifier]?.end = end }
            return true
        }
        if isOpen { task.cancel() }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let fits = lock.withLock { () -> Bool in
            guard var exchange = open.removeValue(forKey: dataTask.taskIdentifier) else { return false }
            if exchange.body.count + data.count <= maximumBytes {
                exchange.body.append(contentsOf: data)
            } else {
                exchange.end = exchange.end ?? .tooLarge
            }
            open[dataTask.taskIdentifier] = exchange
            return exchange.end == nil
        }
        if !fits { dataTask.cancel() }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        guard let exchange = lock.withLock({ open.removeValue(forKey: task.taskIdentifier) }) else { return }
        exchange.timer?.cancel()
        let outcome: Outcome
        if let end = exchange.end {
            outcome = .failure(failure(end))
        } else if let error {
            outcome = .failure(Exchanges.failure(error))
        } else if let response = task.response as? HTTPURLResponse {
            outcome = .success(Exchanges.reply(response, exchange.body))
        } else {
            outcome = .failure(FetchError(.network, advice: .retryLater, "the connection ended without an answer"))
        }
        exchange.continuation.resume(returning: outcome)
    }

    private static func reply(_ response: HTTPURLResponse, _ body: [UInt8]) -> RESTReply {
        var reply = RESTReply(status: response.statusCode, body: body)
        for name in RESTReply.headersOfInterest { reply.headers[name] = response.value(forHTTPHeaderField: name) }
        return reply
    }

    private func failure(_ end: End) -> FetchError {
        switch end {
        case .cancelled: FetchError(.cancelled, advice: .retryLater, "stopped before the answer came")
        case .late: FetchError(.timeout, advice: .retryLater, "no whole answer in time")
        case .tooLarge:
            FetchError(.replyTooLarge, advice: .keep, "the reply has more than \(maximumBytes) bytes")
        }
    }

    private static func failure(_ error: any Error) -> FetchError {
        switch (error as? URLError)?.code {
        case .cancelled?: FetchError(.cancelled, advice: .retryLater, "stopped before the answer came")
        case .timedOut?: FetchError(.timeout, advice: .retryLater, "no answer in time")
        case let code?: FetchError(.network, advice: .retryLater, "URLError \(code.rawValue)")
        case nil: FetchError(.network, advice: .retryLater, "\(type(of: error))")
        }
    }
}
