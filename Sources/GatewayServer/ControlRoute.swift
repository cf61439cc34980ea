import GatewayCore

/// A path of the control API (interfaces.md section 2).
enum ControlRoute: Hashable {
    case index
    case health
    case metrics
    case notifications
    case notification(String)
    case events
    case channels
    case devices
    case device(String)
    case deliveries(String)
    case tokenChange(String, TokenChange)
    case clock
    case clockAdvance
    case apps
    case keys
    case faults
    case fault(String)
    case reset

    /// Nil for a path that is not served.
    ///
    /// - Parameter path: Without the query, percent-encoded as it came. Nothing that belongs in one needs the encoding.
    init?(path: String) {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init)
        switch parts.count {
        case 1 where parts[0].isEmpty: self = .index
        case 1 where parts[0] == "health": self = .health
        case 1 where parts[0] == "metrics": self = .metrics
        case 2 where parts[0] == "api":
            switch parts[1] {
            case "notifications": self = .notifications
            case "events": self = .events
            case "channels": self = .channels
            case "devices": self = .devices
            case "clock": self = .clock
            case "apps": self = .apps
            case "keys": self = .keys
            case "faults": self = .faults
            case "reset": self = .reset
            default: return nil
            }
        case 3 where parts[0] == "api":
            switch (parts[1], parts[2]) {
            case (_, ""): return nil
            case ("notifications", let id): self = .notification(id)
            case ("devices", let token): self = .device(token)
            case ("clock", "advance"): self = .clockAdvance
            case ("faults", let id): self = .fault(id)
            default: return nil
            }
        case 4 where parts[0] == "api" && parts[1] == "devices" && parts[3] == "deliveries" && !parts[2].isEmpty:
            self = .deliveries(parts[2])
        case 4 where parts[0] == "api" && parts[1] == "devices" && !parts[2].isEmpty:
            guard let change = TokenChange(rawValue: parts[3]) else { return nil }
            self = .tokenChange(parts[2], change)
        default: return nil
        }
    }

    var methods: [String] {
        switch self {
        case .index, .health, .metrics, .notification, .events, .channels, .deliveries: ["GET"]
        case .notifications: ["GET", "DELETE"]
        case .devices, .apps, .keys: ["GET", "POST"]
        case .device: ["GET", "PATCH", "DELETE"]
        case .faults: ["GET", "POST", "DELETE"]
        case .fault: ["GET", "DELETE"]
        case .clock: ["GET", "PUT"]
        case .clockAdvance, .reset, .tokenChange: ["POST"]
        }
    }
}
