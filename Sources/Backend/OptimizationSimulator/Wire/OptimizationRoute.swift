import ServiceHost

/// One of the vendor's paths, with its parts decoded.
enum OptimizationRoute: Hashable {
    enum Target: Hashable {
        case create
        case profile(String)
        case batch, importing
        case analytics
    }

    /// The profile or analytics service.
    case organization(client: String, environment: String, Target)
    /// The delivery service.
    ///
    /// - Parameter entry: Nil for the list.
    case entries(space: String, environment: String, entry: String?)

    init?(_ path: String) {
        var parts: [String] = []
        for part in path.split(separator: "/", maxSplits: 9, omittingEmptySubsequences: false).dropFirst() {
            // In a path a plus sign is itself.
            guard let text = FormText.decode(part, plus: "+") else { return nil }
            parts.append(text)
        }
        if parts.count >= 3, parts[0] == "spaces" {
            let hasEnvironment = parts.count >= 4 && parts[2] == "environments"
            let rest = parts.dropFirst(hasEnvironment ? 4 : 2)
            guard rest.first == "entries", rest.count <= 2 else { return nil }
            self = .entries(
                space: parts[1], environment: hasEnvironment ? parts[3] : "master",
                entry: rest.count == 2 && rest.last?.isEmpty == false ? rest.last : nil)
            return
        }
        guard parts.count >= 6, parts[1] == "organizations", parts[3] == "environments",
            let target = Target(version: parts[0], Array(parts[5...]))
        else { return nil }
        self = .organization(client: parts[2], environment: parts[4], target)
    }

    var path: OptimizationPath {
        switch self {
        case .organization(_, _, .create), .organization(_, _, .profile): .profiles
        case .organization(_, _, .batch), .organization(_, _, .importing): .events
        case .organization(_, _, .analytics): .analytics
        case .entries: .entries
        }
    }

    var methods: [String] {
        switch self {
        case .organization(_, _, .profile): ["GET", "POST", "DELETE"]
        case .entries: ["GET"]
        default: ["POST"]
        }
    }

    /// Whether a request may change anything that is worth storing, apart from fault rules. The request id that an error of
    /// entries draws is not: the next change stores the state of the random numbers.
    func mayChange(_ request: ServiceRequest) -> Bool {
        switch (self, request.method) {
        case (.entries, _), (_, "GET"), (_, "HEAD"): false
        case (.organization(_, _, .create), "POST"), (.organization(_, _, .profile), "POST"):
            request.parameter("type") != "preflight"
        default: true
        }
    }
}

extension OptimizationRoute.Target {
    fileprivate init?(version: String, _ rest: [String]) {
        switch (version, rest) {
        case ("v2", ["profiles"]), ("v2", ["profiles", ""]): self = .create
        case ("v2", ["events"]): self = .batch
        case ("v2", ["import", "events"]): self = .importing
        case ("v1", ["events"]): self = .analytics
        default:
            guard version == "v2", rest.count == 2, rest[0] == "profiles" else { return nil }
            self = .profile(rest[1])
        }
    }
}
