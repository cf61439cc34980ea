#if canImport(FoundationNetworking)
    import Foundation
    package import FoundationNetworking
#else
    package import Foundation
#endif

/// Sends requests with a URLSession, with limits on the size of a reply and on the time of the whole exchange. It follows no
/// redirect, which would send an access token to another address, and stores neither replies nor cookies.
package final class BoundedHTTPSession: Sendable {
    /// Why there is no reply.
    package enum Failure: Error, Hashable, Sendable {
        case cancelled
        /// The reply was not there in time, or not the whole of it.
        case timeout
        case tooLarge
        /// The code of a `URLError`.
        case urlError(Int)
        /// The name of the type of another error.
        case other(String)
        /// The connection ended without an answer.
        case noAnswer
    }

    private let session: URLSession
    private let exchanges = BoundedExchanges()

    package init(_ configuration: URLSessionConfiguration) {
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

    /// Sends one request and returns the whole reply. Every status is a reply, also one that refuses.
    ///
    /// - Parameters:
    ///   - milliseconds: The limit for the whole exchange, which begins now.
    ///   - maximumBytes: Of the body of the reply.
    package func send(
        _ request: URLRequest, withinMilliseconds milliseconds: Int64, maximumBytes: Int
    ) async throws(Failure) -> (head: HTTPURLResponse, body: [UInt8]) {
        var request = request
        // The timer of the exchange decides. URLSession's own timeout counts whole seconds on Linux, and treats less than one
        // second as none.
        request.timeoutInterval = (Double(max(1, milliseconds)) / 1_000).rounded(.up) + 1
        let task = session.dataTask(with: request)
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                exchanges.begin(task, within: milliseconds, maximumBytes: maximumBytes, continuation)
            }
        } onCancel: {
            exchanges.end(task, because: .cancelled)
        }
        return try result.get()
    }
}

/// What has come on each task so far.
///
/// `@unchecked Sendable` because the lock protects `open` and `cancelled`.
private final class BoundedExchanges: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    typealias Failure = BoundedHTTPSession.Failure
    typealias Outcome = Result<(head: HTTPURLResponse, body: [UInt8]), Failure>

    private struct Exchange {
        let maximumBytes: Int
        let continuation: CheckedContinuation<Outcome, Never>
        let timer: Task<Void, Never>
        var body: [UInt8] = []
        var failure: Failure?
    }

    private let lock = NSLock()
    private var open: [Int: Exchange] = [:]
    /// Tasks that were cancelled before they began.
    private var cancelled: Set<Int> = []

    func begin(
        _ task: URLSessionDataTask, within milliseconds: Int64, maximumBytes: Int,
        _ continuation: CheckedContinuation<Outcome, Never>
    ) {
        let isWanted = lock.withLock { () -> Bool in
            guard cancelled.remove(task.taskIdentifier) == nil else { return false }
            let timer = Task { [weak self] in
                let nanoseconds = UInt64(min(max(1, milliseconds), 86_400_000)) * 1_000_000
                guard (try? await Task.sleep(nanoseconds: nanoseconds)) != nil else { return }
                self?.end(task, because: .timeout)
            }
            open[task.taskIdentifier] = Exchange(maximumBytes: maximumBytes, continuation: continuation, timer: timer)
            return true
        }
        guard isWanted else {
            task.cancel()
            return continuation.resume(returning: .failure(.cancelled))
        }
        task.resume()
    }

    func end(_ task: URLSessionDataTask, because failure: Failure) {
        let isOpen = lock.withLock { () -> Bool in
            guard open[task.taskIdentifier] != nil else {
                if failure == .cancelled { cancelled.insert(task.taskIdentifier) }
                return false
            }
            if open[task.taskIdentifier]?.failure == nil { open[task.taskIdentifier]?.failure = failure }
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
                exchange.failure = exchange.failure ?? .tooLarge
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
        exchange.timer.cancel()
        let outcome: Outcome
        if let failure = exchange.failure ?? error.map(BoundedExchanges.failure) {
            outcome = .failure(failure)
        } else if let head = task.response as? HTTPURLResponse {
            outcome = .success((head, exchange.body))
        } else {
            outcome = .failure(.noAnswer)
        }
        exchange.continuation.resume(returning: outcome)
    }

    private static func failure(_ error: any Error) -> Failure {
        switch (error as? URLError)?.code {
        case .cancelled?: .cancelled
        case .timedOut?: .timeout
        case let code?: .urlError(code.rawValue)
        case nil: .other("\(type(of: error))")
        }
    }
}
