import DeviceSimulator
import PushDispatch
import Synchronization

/// Which lines are shown of a plain alert, which asks the app for nothing: that it was shown, and nothing about hints and results.
final class PlainAlertNotes: Sendable {
    enum Line: Hashable {
        case usual
        case nothing
        case text(String)
    }

    /// Whether the push that is being handled is a plain alert. A device handles one push at a time.
    private let isPlain = Mutex(false)

    /// What stands in for the usual line of this event. Call it for every event, in order.
    func line(of event: SimulatedDevice.Event) -> Line {
        isPlain.withLock { isPlain in
            switch event {
            case .received(let push):
                isPlain = ShownAlert(push)?.isPlain ?? false
                return .usual
            case .dispatch(.ignored(.missingType)): return isPlain ? .nothing : .usual
            case .finished(let result, _, _):
                defer { isPlain = false }
                return isPlain && result == .noData ? .text("the alert was shown") : .usual
            default: return .usual
            }
        }
    }
}
