/// The two services that Apple runs; device tokens and most keys belong to one of them.
public enum APNSEnvironment: String, Hashable, Sendable, CaseIterable, Codable {
    case sandbox, production

    /// The host that takes notifications for devices (docs/reference/apns.md 1.1).
    public var host: String {
        switch self {
        case .sandbox: "api.sandbox.push.apple.com"
        case .production: "api.push.apple.com"
        }
    }
}
