import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// URLSession with what it lacks: a bound on the reply. It follows no redirect, which would hand the access token on.
final class BoundedHTTP: Sendable {
    struct Reply: Sendable {
        var status: Int
        var body: [UInt8]
    }

    private let session: URLSession
    private let exchanges: Exchanges

    init(_ configuration: URLSessionConfiguration, maximumBytes: Int) {
        exchanges = Exchanges(maximumBytes: maximumBytes)
        session = URLSession(configuration: configuration, delegate: exchanges, delegateQueue: nil)
    }

    // A session keeps its delegate until it is told to end.
    deinit { session.finishTasksAndInvalidate() }

    func send(_ request: URLRequest) async throws(FetchError) -> Reply {
        let task = session.dataTask(with: request)
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                exchanges.begin(task.taskIdentifier, continuation)
                task.resume()
            }
        } onCancel: {
            task.cancel()
        }
        return try result.get()
    }
}

/// What came in so far on each task.
///
/// Unchecked, because the lock protects `open`.
private final class Exchanges: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    typealias Outcome = Result<BoundedHTTP.Reply, FetchError>

    private struct Exchange {
        var continuation: CheckedContinuation<Outcome, Never>
        var body: [UInt8] = []
        var isTooLarge = false
    }

    private let maximumBytes: Int
    private let lock = NSLock()
    private var open: [Int: Exchange] = [:]

    init(maximumBytes: Int) { self.maximumBytes = maximumBytes }

    func begin(_ task: Int, _ continuation: CheckedContinuation<Outcome, Never>) {
        lock.withLock { open[task] = Exchange(continuation: continuation) }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let fits = lock.withLock { () -> Bool in
            guard var exchange = open.removeValue(forKey: dataTask.taskIdentifier) else { return false }
            if exchange.body.count + data.count <= maximumBytes {
                exchange.body.append(contentsOf: data)
            } else {
                exchange.isTooLarge = true
            }
            open[dataTask.taskIdentifier] = exchange
            return !exchange.isTooLarge
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
        if exchange.isTooLarge {
            outcome = .failure(
                FetchError(.replyTooLarge, advice: .stop, "the reply has more than \(maximumBytes) bytes"))
        } else if let error {
            outcome = .failure(Exchanges.failure(error))
        } else if let response = task.response as? HTTPURLResponse {
            outcome = .success(BoundedHTTP.Reply(status: response.statusCode, body: exchange.body))
        } else {
            outcome = .failure(FetchError(.network, advice: .retryLater, "the connection ended without an answer"))
        }
        exchange.continuation.resume(returning: outcome)
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
