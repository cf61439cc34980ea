package import GatewayCore
import NIOPosix

/// Requests that were judged, for reuse as the next requests of the same event loop. Each holds a block of memory that is
/// too large to allocate and free cheaply: the C library merges its free small blocks whenever it allocates a large one.
///
/// A request keeps its content until it is used again.
///
/// @unchecked: only connections of one event loop use a pool, on the loop's thread.
package final class RequestPool: @unchecked Sendable {
    private var requests: [CompleteRequest] = []

    /// About as many as one read of a socket brings.
    private static let maximum = 256
    private static let current = ThreadSpecificVariable<RequestPool>()

    package static var ofThisThread: RequestPool {
        if let pool = current.currentValue { return pool }
        let pool = RequestPool()
        current.currentValue = pool
        return pool
    }

    /// - Returns: A request that nothing else references; nil if there is none.
    package func take() -> CompleteRequest? {
        guard var request = requests.popLast() else { return nil }
        return isKnownUniquelyReferenced(&request) ? request : nil
    }

    /// Takes the requests out of `judged`.
    package func give(_ judged: inout [CompleteRequest]) {
        if requests.isEmpty, judged.count <= RequestPool.maximum {
            swap(&requests, &judged)
        } else {
            requests += judged.prefix(RequestPool.maximum - requests.count)
            judged.removeAll(keepingCapacity: true)
        }
    }
}
