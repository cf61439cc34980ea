import DeviceSimulator
import Synchronization

/// Which lines about a broken connection are shown. A device tries to reconnect every few seconds, and the same reason
/// again is not news.
final class DisconnectNotes: Sendable {
    /// The reason that was shown last; nil while the device is connected.
    private let shown = Mutex<String?>(nil)

    /// Whether to show this event. Call it for every event, in order.
    func shows(_ event: SimulatedDevice.Event) -> Bool {
        shown.withLock { shown in
            switch event {
            case .connected:
                shown = nil
                return true
            case .disconnected(let why):
                defer { shown = why }
                return shown != why
            default: return true
            }
        }
    }
}
