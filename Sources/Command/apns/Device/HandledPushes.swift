import DeviceSimulator
import Synchronization

/// Which pushes a simulated device has handled.
final class HandledPushes: Sendable {
    struct Count: Hashable {
        /// Handled pushes, including those that could not be forwarded.
        var all = 0
        var givenUp = 0
        /// The `apns-unique-id` of the last handled push.
        var last: String?
        /// The `apns-unique-id` of a push that arrived but was neither forwarded nor given up.
        var interrupted: String?
    }

    private let state: Mutex<Count>

    /// - Parameter last: The last push that an earlier run has handled.
    init(after last: String? = nil) { state = Mutex(Count(last: last)) }

    var count: Count { state.withLock { $0 } }

    func note(_ event: SimulatedDevice.Event) {
        state.withLock { state in
            switch event {
            case .received(let push): state.interrupted = push.uniqueID
            case .forwarding(.forwarded, _): state.interrupted = nil
            case .forwarding(.failed(_, _, .givenUp), _): state.givenUp += 1
            case .finished(_, let push, _):
                state.all += 1
                state.last = push.uniqueID
                state.interrupted = nil
            default: break
            }
        }
    }
}
