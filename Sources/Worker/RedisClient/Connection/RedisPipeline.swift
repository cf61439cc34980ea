package import APNSModel
internal import NIOCore

/// The requests of a connection that wait for their replies, which come in the order of the requests.
///
/// A request is some commands with as many replies. `Owner` is what the caller needs to answer it.
package struct RedisPipeline<Owner> {
    private struct Request {
        var owner: Owner
        var replies: [RedisValue] = []
        var count: Int
        var byteCount: Int
        var deadline: MonotonicTime
    }

    private var requests = CircularBuffer<Request>()
    private let maximumRequests: Int
    private let maximumBytes: Int
    package private(set) var byteCount = 0

    package init(maximumRequests: Int, maximumBytes: Int) {
        self.maximumRequests = maximumRequests
        self.maximumBytes = maximumBytes
    }

    package var isEmpty: Bool { requests.isEmpty }

    /// Why a request of this size cannot be sent now; nil if it can.
    package func refusal(byteCount: Int) -> RedisError? {
        if byteCount > maximumBytes {
            return RedisError(.requestTooLarge, "a request has \(byteCount) bytes; \(maximumBytes) are the most")
        }
        if requests.count >= maximumRequests || self.byteCount + byteCount > maximumBytes {
            return RedisError(
                .tooManyRequests, "\(requests.count) requests wait for the server's answers; it is slower than its work"
            )
        }
        return nil
    }

    /// A request of `count` commands was written.
    package mutating func sent(_ owner: Owner, count: Int, byteCount: Int, deadline: MonotonicTime) {
        precondition(count > 0, "a request has commands")
        self.byteCount += byteCount
        requests.append(Request(owner: owner, count: count, byteCount: byteCount, deadline: deadline))
    }

    package enum OnReply {
        case nothing
        case answer(Owner, [RedisValue])
        /// No request waits for it.
        case unexpected
    }

    package mutating func received(_ reply: RedisValue) -> OnReply {
        guard !requests.isEmpty else { return .unexpected }
        let first = requests.startIndex
        requests[first].replies.append(reply)
        guard requests[first].replies.count == requests[first].count else { return .nothing }
        let request = requests.removeFirst()
        byteCount -= request.byteCount
        return .answer(request.owner, request.replies)
    }

    /// When the first request waits too long; nil without requests.
    package var deadline: MonotonicTime? { requests.lazy.map(\.deadline).min() }

    /// The connection ended: all requests, each of which the server may have run.
    package mutating func end() -> [Owner] {
        defer {
            requests.removeAll()
            byteCount = 0
        }
        return requests.map(\.owner)
    }
}
