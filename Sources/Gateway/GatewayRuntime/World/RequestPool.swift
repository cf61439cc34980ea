package import GatewayCore
import NIOPosix

/// Requests that were judged, for the next ones of the same event loop. Each has a block of memory that is too long to come
/// and go cheaply: the C library tidies up its small blocks for it.
///
/// What a request holds, it holds until it is used again.
///
/// @unchecked: connections of one event loop use it, on its thread; others never see it.
package final class RequestPool: @unchecked Sendable {
    private var requests: [CompleteRequest] = []

    /// About as many as come in one piece of input.
    private static let maximum = 256
    private static let current = ThreadSpecificVariable<RequestPool>()

    package static var ofThisThread: RequestPool {
        if let requestPool = current.currentValue { return requestPool }
        let requestPool = RequestPool()
        current.currentValue = requestPool
        return requestPool
    }

    /// - Returns: Nil where there is none that nobody holds any more.
    package func take() -> CompleteRequest? {
        guard var request = requests.popLast() else { return nil }
        return isKnownUniquelyReferenced(&request) ? request : nil
    }

    /// Takes those that were judged out of `judged`.
    package func give(_ judged: inout [CompleteRequest]) {
        if requests.isEmpty, judged.count <= RequestPool.maximum {
            swap(&requests, &judged)
        } else {
            requests += judged.prefix(RequestPool.maximum - requests.count)
            judged.removeAll(keepingCapacity: true)
        }
    }
}
