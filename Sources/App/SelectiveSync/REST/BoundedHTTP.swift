import Foundation
import PushDispatch

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Sends the requests of REST calls, with limits on the size of a reply and on the duration of the whole exchange.
struct BoundedHTTP: HTTPTransport {
    private let session: BoundedHTTPSession
    private let maximumBytes: Int

    init(_ configuration: URLSessionConfiguration, maximumBytes: Int) {
        session = BoundedHTTPSession(configuration)
        self.maximumBytes = maximumBytes
    }

    func send(_ request: URLRequest, within milliseconds: Int64) async throws(FetchError) -> RESTReply {
        guard milliseconds > 0 else {
            throw FetchError(.timeout, advice: .retryLater, "no time left for a request")
        }
        do {
            let (head, body) = try await session.send(
                request, withinMilliseconds: milliseconds, maximumBytes: maximumBytes)
            var reply = RESTReply(status: head.statusCode, body: body)
            for name in RESTReply.headersOfInterest { reply.headers[name] = head.value(forHTTPHeaderField: name) }
            return reply
        } catch {
            throw failure(error)
        }
    }

    private func failure(_ failure: BoundedHTTPSession.Failure) -> FetchError {
        switch failure {
        case .cancelled: FetchError(.cancelled, advice: .retryLater, "stopped before the answer came")
        case .timeout: FetchError(.timeout, advice: .retryLater, "no whole answer in time")
        case .tooLarge:
            FetchError(.replyTooLarge, advice: .keep, "the reply has more than \(maximumBytes) bytes")
        case .urlError(let code): FetchError(.network, advice: .retryLater, "URLError \(code)")
        case .other(let type): FetchError(.network, advice: .retryLater, type)
        case .noAnswer: FetchError(.network, advice: .retryLater, "the connection ended without an answer")
        }
    }
}
