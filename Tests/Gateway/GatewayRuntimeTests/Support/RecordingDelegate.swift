import GatewayRuntime
import Synchronization

/// A delegate that only records its calls.
final class RecordingDelegate: LiveWorldDelegate {
    enum Call: Equatable {
        case clockChanged(by: Int64, isReset: Bool)
        case faultRulesRemoved(String?)
        case nextDue(Int64?)
    }

    private let calls = Mutex<[Call]>([])

    func clockChanged(_ change: ClockChange, in world: LiveWorld) {
        add(.clockChanged(by: change.by, isReset: change.isReset))
    }

    func faultRulesRemoved(_ id: String?, in world: LiveWorld) { add(.faultRulesRemoved(id)) }

    func nextDue(in milliseconds: Int64?, of world: LiveWorld) { add(.nextDue(milliseconds)) }

    private func add(_ call: Call) { calls.withLock { $0.append(call) } }

    /// The calls since the last `take`.
    func take() -> [Call] {
        calls.withLock { calls in
            defer { calls = [] }
            return calls
        }
    }

    /// The due times among the calls since the last `take`.
    func takeDues() -> [Int64?] {
        take().compactMap { if case .nextDue(let due) = $0 { .some(due) } else { nil } }
    }
}
