#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// Sends decision requests with a URLSession, with limits on the size of a reply and on the time of the whole exchange. It
/// follows no redirect, and stores neither replies nor cookies.
public final class URLSessionDecisionTransport: DecisionTransport {
    private let session: URLSession
    private let exchanges = DecisionExchanges()

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

    public func send(_ request: DecisionHTTPRequest) async throws(DecisionError) -> DecisionHTTPReply {
        var message = URLRequest(url: request.url)
        message.httpMethod = "POST"
        message.httpBody = Data(request.body)
        message.setValue(request.contentType, forHTTPHeaderField: "Content-Type")
        message.setValue("application/json", forHTTPHeaderField: "Accept")
        // The client's own limit is exact and cancels this task. URLSession counts whole seconds, and none as no limit.
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
private final class DecisionExchanges: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    typealias Outcome = Result<DecisionHTTPReply, DecisionError>

    private struct Exchange {
        let maximumBytes: Int
        let continuation: CheckedContinuation<Outcome, Never>
        var body: [UInt8] = []
        var failure: DecisionError?
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
                exchange.failure =
                    exchange.failure
                    ?? DecisionError(
                        .responseInvalid,
                        "the reply has more than \(exchange.maximumBytes) bytes; ask for fewer points, or raise the limit"
                    )
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
        let outcome: Outcome
        if let failure = exchange.failure {
            outcome = .failure(failure)
        } else if let error {
            outcome = .failure(DecisionExchanges.failure(error))
        } else if let response = task.response as? HTTPURLResponse {
            var reply = DecisionHTTPReply(status: response.statusCode, body: exchange.body)
            for name in ["content-type", "date", "retry-after"] {
                reply.headers[name] = response.value(forHTTPHeaderField: name)
            }
            outcome = .success(reply)
        } else {
            outcome = .failure(DecisionError(.network, "the connection ended without an answer; fetch again later"))
        }
        exchange.continuation.resume(returning: outcome)
    }

    private static func failure(_ error: any Error) -> DecisionError {
        switch (error as? URLError)?.code {
        case .cancelled?: .cancelled
        case .timedOut?: .timeout
        case let code?:
            DecisionError(
                .network, "no answer (URLError \(code.rawValue)); check connection and endpoint, fetch again later")
        case nil:
            DecisionError(.network, "no answer (\(type(of: error))); check connection and endpoint, fetch again later")
        }
    }
}
