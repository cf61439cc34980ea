import PushDispatch

#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// Sends requests with a URLSession, with limits on the size of a reply and on the time of the whole exchange. It follows no
/// redirect, and stores neither replies nor cookies.
public final class URLSessionOptimizationTransport: OptimizationTransport {
    private let session: BoundedHTTPSession

    public init(_ configuration: URLSessionConfiguration = .ephemeral) { session = BoundedHTTPSession(configuration) }

    public func send(_ request: OptimizationHTTPRequest) async throws(TransportFailure) -> OptimizationHTTPReply {
        var message = URLRequest(url: request.url)
        message.httpMethod = request.method
        message.httpBody = request.body.map { Data($0) }
        for (name, value) in request.headers { message.setValue(value, forHTTPHeaderField: name) }
        do {
            let (head, body) = try await session.send(
                message, withinMilliseconds: request.withinMilliseconds, maximumBytes: request.maximumReplyBytes)
            var reply = OptimizationHTTPReply(status: head.statusCode, body: body)
            for name in ["content-type", "etag", "retry-after", "x-contentful-ratelimit-reset"] {
                reply.headers[name] = head.value(forHTTPHeaderField: name)
            }
            return reply
        } catch {
            throw TransportFailure(error, maximumBytes: request.maximumReplyBytes)
        }
    }
}

extension TransportFailure {
    fileprivate init(_ failure: BoundedHTTPSession.Failure, maximumBytes: Int) {
        self =
            switch failure {
            case .cancelled: .cancelled
            case .timeout: .timeout
            case .tooLarge: .tooLarge(maximumBytes)
            case .urlError(let code): .network(code)
            case .other, .noAnswer: .network(0)
            }
    }
}
