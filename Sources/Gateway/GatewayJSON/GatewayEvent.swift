import APNSModel
package import GatewayCore

/// An event in the gateway, for subscribers to all events.
package enum GatewayEvent: Sendable {
    /// A request was judged.
    case judged(JournalEntry)
    /// The first life entry of a judged request. It is only sent to those who ask for `accepted` or `refused` by name;
    /// for others it is part of `judged`.
    case verdict(JournalEntry)
    /// The life of an accepted notification continued.
    case life(DeliveryEvent)
    case device(DeviceChange, Device)
    case app(RegisteredApp)
    case key(ProviderKey)
    case clock(WorldClock.Mode, now: Int64)
    case fault(FaultChange, ActiveFault)
    /// The journal was emptied.
    case journalEmptied
    /// The world was reset to its initial state.
    case reset
    /// Settings were changed; this has all of them.
    case settings(WorldSettings)
    /// Another world was created or removed. Subscribers of the world `default` get it.
    case world(WorldChange, WorldName)

    /// About its memory in bytes, with what it keeps alive.
    package var heldBytes: Int {
        switch self {
        case .judged(let entry), .verdict(let entry): 1024 + entry.payload.count
        case .life(let event): 384 + event.delivery.heldBytes
        case .device(_, let device): 1024 + device.waiting.heldBytes
        case .app, .key, .clock, .fault, .journalEmptied, .reset, .settings, .world: 768
        }
    }

    package enum WorldChange: String, Sendable, CaseIterable {
        case made, removed
    }

    package enum DeviceChange: String, Sendable, CaseIterable {
        case registered, changed, uninstalled
    }

    /// What happened to a fault rule; its effect on a request is in the request's entry.
    package enum FaultChange: String, Sendable, CaseIterable {
        case added, removed
        /// It is used up or has expired.
        case ended
        /// It delays a new connection.
        case connectionHeld = "connection-held"
    }
}
