/// One of the vendor's paths.
enum VendorRoute: Hashable {
    case decisions(isSignedOn: Bool)
    case webEvents(source: String)
    case serverEvents(source: String)

    init?(_ path: String) {
        switch path {
        case "/personalization/decisions", "/personalization/v1/decisions": self = .decisions(isSignedOn: false)
        case "/personalization/authenticated/decisions", "/personalization/v1/authenticated/decisions":
            self = .decisions(isSignedOn: true)
        default:
            let parts = path.split(separator: "/", maxSplits: 4, omittingEmptySubsequences: false)
            guard parts.count == 4, parts[0].isEmpty, parts[2] == "events" else { return nil }
            switch parts[1] {
            case "web": self = .webEvents(source: String(parts[3]))
            case "server": self = .serverEvents(source: String(parts[3]))
            default: return nil
            }
        }
    }

    var path: ServicePath {
        if case .decisions = self { .decisions } else { .events }
    }

    var needsToken: Bool {
        switch self {
        case .decisions(let isSignedOn): isSignedOn
        case .webEvents: false
        case .serverEvents: true
        }
    }
}
