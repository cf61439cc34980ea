import APNSModel
import GatewayCore

/// Something that happened in the gateway, for those who listen to all of it.
enum GatewayEvent: Sendable {
    /// A request was judged.
    case judged(JournalEntry)
    /// An accepted notification went on its way.
    case life(DeliveryEvent)
    case device(DeviceChange, Device)
    case app(RegisteredApp)
    case key(ProviderKey)
    case clock(WorldClock.Mode, now: Int64)
    case fault(FaultChange, ActiveFault)
    /// The journal was emptied.
    case journalEmptied
    /// Everything is back to the state at start.
    case reset

    enum DeviceChange: String, Sendable, CaseIterable {
        case registered, changed, uninstalled
    }

    /// What became of a fault rule; what it did to a request stands with the request.
    enum FaultChange: String, Sendable, CaseIterable {
        case added, removed
        /// It is used up, or its time is over.
        case ended
        /// It keeps a new connection waiting.
        case connectionHeld = "connection-held"
    }
}
