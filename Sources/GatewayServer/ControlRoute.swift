/// A path of the control API (interfaces.md section 2).
enum ControlRoute: Hashable {
    /// A file of the inspector page.
    case page(PageFile)
    case index
    case health
    case metrics
    case notifications
    case notification(String)
    case counts
    case validate
    case events
    case channels
    case devices
    case device(String)
    case inbox(String)
    case deliveries(String)
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
        case 1 where parts[0].isEmpty: self = .page(.index)
        case 2 where parts[0] == "page":
            guard let file = PageFile.all.first(where: { $0.name == parts[1] }) else { return nil }
            self = .page(file)
        case 2...3 where parts[0] == "w" && !parts[1].isEmpty && parts.dropFirst(2).allSatisfy(\.isEmpty):
            // The page of one world; it asks the API of that world by itself.
            self = .page(.index)
        case 1 where parts[0] == "api": self = .index
        case 1 where parts[0] == "health": self = .health
        case 1 where parts[0] == "metrics": self = .metrics
        case 2 where parts[0] == "api":
            switch parts[1] {
            case "notifications": self = .notifications
            case "counts": self = .counts
            case "validate": self = .validate
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
        case 4 where parts[0] == "api" && parts[1] == "devices" && parts[3] == "notifications" && !parts[2].isEmpty:
            self = .inbox(parts[2])
        default: return nil
        }
    }

    var methods: [String] {
        switch self {
        case .page, .index, .health, .metrics, .notification, .counts, .events, .channels, .inbox, .deliveries: ["GET"]
        case .notifications: ["GET", "POST", "DELETE"]
        case .validate: ["POST"]
        case .devices, .apps, .keys: ["GET", "POST"]
        case .device: ["GET", "PATCH", "DELETE"]
        case .faults: ["GET", "POST", "DELETE"]
        case .fault: ["GET", "DELETE"]
        case .clock: ["GET", "PUT"]
        case .clockAdvance, .reset: ["POST"]
        }
    }
}
