#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// Sends requests with a URLSession, with limits on the size of a reply and on the time of the whole exchange. It follows no
/// redirect, and stores neither replies nor cookies.
public final class URLSessionOptimizationTransport: OptimizationTransport {
    private let session: URLSession
    private let exchanges = OptimizationExchanges()

    public init(_ configuration: URLSessionConfiguration = .ephemeral) {
        // A configuration is a reference: without the copy the caller's own one would change.
        let configuration = configuration.copy() as? URLSessionConfiguration ?? .ephemeral
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        session = URLSession(configuration: configuration, delegate: exchanges, delegateQueue: nil)
    }

    // A session retains its delegate until it is invalidated.
    deinit { session.finishTasksAndInvalidate() }

    public func send(_ request: OptimizationHTTPRequest) async throws(TransportFailure) -> OptimizationHTTPReply {
        var message = URLRequest(url: request.url)
        message.httpMethod = request.method
        message.httpBody = request.body.map { Data($0) }
        for (name, value) in request.headers { message.setValue(value, forHTTPHeaderField: name) }
        // URLSession counts whole seconds, and none as no limit. Who asks cancels this task in time.
        message.timeoutInterval = (Double(max(1, request.withinMilliseconds)) / 1_000).rounded(.up) + 1
        let task = session.dataTask(with: message)
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                exchanges.begin(task, maximumBytes: request.maximumReplyBytes, continuation)
            }
        } onCancel: {
            exchanges.cancel(task)
        }
        return try result.get()
    }
}

/// What has come on each task so far.
///
/// `@unchecked Sendable` because the lock protects `open` and `cancelled`.
private final class OptimizationExchanges: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    typealias Outcome = Result<OptimizationHTTPReply, TransportFailure>

    private struct Exchange {
        let maximumBytes: Int
        let continuation: CheckedContinuation<Outcome, Never>
        var body: [UInt8] = []
        var failure: TransportFailure?
    }

    private let lock = NSLock()
    private var open: [Int: Exchange] = [:]
    /// Tasks that were cancelled before they began.
    private var cancelled: Set<Int> = []

    func begin(
        _ task: URLSessionDataTask, maximumBytes: Int, _ continuation: CheckedContinuation<Outcome, Never>
    ) {
        let isWanted = lock.withLock { () -> Bool in
            guard cancelled.remove(task.taskIdentifier) == nil else { return false }
            open[task.taskIdentifier] = Exchange(maximumBytes: maximumBytes, continuation: continuation)
            return true
        }
        guard isWanted else {
            task.cancel()
            return continuation.resume(returning: .failure(.cancelled))
        }
        task.resume()
    }

    func cancel(_ task: URLSessionDataTask) {
        let isOpen = lock.withLock { () -> Bool in
            guard open[task.taskIdentifier] != nil else {
                cancelled.insert(task.taskIdentifier)
                return false
            }
            open[task.taskIdentifier]?.failure = .cancelled
            return true
        }
        if isOpen { task.cancel() }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let fits = lock.withLock { () -> Bool in
            guard var exchange = open.removeValue(forKey: dataTask.taskIdentifier) else { return false }
            if exchange.body.count + data.count <= exchange.maximumBytes {
                exchange.body.append(contentsOf: data)
            } else {
                exchange.body = []
                exchange.failure = exchange.failure ?? .tooLarge(exchange.maximumBytes)
            }
            open[dataTask.taskIdentifier] = exchange
            return exchange.failure == nil
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
        exchange.continuation.resume(returning: outcome(of: exchange, task, error))
    }

    private func outcome(of exchange: Exchange, _ task: URLSessionTask, _ error: (any Error)?) -> Outcome {
        if let failure = exchange.failure { return .failure(failure) }
        if let error {
            switch (error as? URLError)?.code {
            case .cancelled?: return .failure(.cancelled)
            case .timedOut?: return .failure(.timeout)
            case let code?: return .failure(.network(code.rawValue))
            case nil: return .failure(.network(0))
            }
        }
        guard let response = task.response as? HTTPURLResponse else { return .failure(.network(0)) }
        var reply = OptimizationHTTPReply(status: response.statusCode, body: exchange.body)
        for name in ["content-type", "retry-after", "x-contentful-ratelimit-reset"] {
            reply.headers[name] = response.value(forHTTPHeaderField: name)
        }
        return .success(reply)
    }
}
