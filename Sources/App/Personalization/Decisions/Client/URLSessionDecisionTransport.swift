import PushDispatch

#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// Sends decision requests with a URLSession, with limits on the size of a reply and on the time of the whole exchange. It
/// follows no redirect, and stores neither replies nor cookies.
public final class URLSessionDecisionTransport: DecisionTransport {
    private let session: BoundedHTTPSession

    public init(_ configuration: URLSessionConfiguration = .ephemeral) { session = BoundedHTTPSession(configuration) }

    public func send(_ request: DecisionHTTPRequest) async throws(DecisionError) -> DecisionHTTPReply {
        var message = URLRequest(url: request.url)
        message.httpMethod = "POST"
        message.httpBody = Data(request.body)
        message.setValue(request.contentType, forHTTPHeaderField: "Content-Type")
        message.setValue("application/json", forHTTPHeaderField: "Accept")
        do {
            let (head, body) = try await session.send(
                message, withinMilliseconds: request.withinMilliseconds, maximumBytes: request.maximumReplyBytes)
            var reply = DecisionHTTPReply(status: head.statusCode, body: body)
            for name in ["content-type", "date", "retry-after"] {
                reply.headers[name] = head.value(forHTTPHeaderField: name)
            }
            return reply
        } catch {
            throw DecisionError(error, maximumBytes: request.maximumReplyBytes)
        }
    }
}

extension DecisionError {
    fileprivate init(_ failure: BoundedHTTPSession.Failure, maximumBytes: Int) {
        func network(_ why: String) -> DecisionError {
            DecisionError(.network, "no answer (\(why)); check connection and endpoint, fetch again later")
        }
        self =
            switch failure {
            case .cancelled: .cancelled
            case .timeout: .timeout
            case .tooLarge:
                DecisionError(
                    .responseInvalid,
                    "the reply has more than \(maximumBytes) bytes; ask for fewer points, or raise the limit")
            case .urlError(let code): network("URLError \(code)")
            case .other(let type): network(type)
            case .noAnswer:
                DecisionError(.network, "the connection ended without an answer; fetch again later")
            }
    }
}
