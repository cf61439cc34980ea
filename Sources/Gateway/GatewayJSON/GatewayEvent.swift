import APNSModel
package import GatewayCore

/// Something that happened in the gateway, for those who listen to all of it.
package enum GatewayEvent: Sendable {
    /// A request was judged.
    case judged(JournalEntry)
    /// The first line in the life of a request that was judged. Only who asks for `accepted` or `refused` by name is told:
    /// everybody else has it in `judged`.
    case verdict(JournalEntry)
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
    /// Settings were changed; these are all of them.
    case settings(WorldSettings)
    /// Another world was made or removed. The world `default` is told.
    case world(WorldChange, WorldName)

    package enum WorldChange: String, Sendable, CaseIterable {
        case made, removed
    }

    package enum DeviceChange: String, Sendable, CaseIterable {
        case registered, changed, uninstalled
    }

    /// What became of a fault rule; what it did to a request stands with the request.
    package enum FaultChange: String, Sendable, CaseIterable {
        case added, removed
        /// It is used up, or its time is over.
        case ended
        /// It keeps a new connection waiting.
        case connectionHeld = "connection-held"
    }
}
