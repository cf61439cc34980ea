/// The two services of Apple. A device token belongs to one of them, and so do most keys.
public enum APNSEnvironment: String, Hashable, Sendable, CaseIterable, Codable {
    case sandbox, production

    /// The host that accepts notifications for devices (docs/reference/apns.md 1.1).
    public var host: String {
        switch self {
        case .sandbox: "api.sandbox.push.apple.com"
        case .production: "api.push.apple.com"
        }
    }

    /// The host that manages broadcast channels.
    public var channelManagementHost: String {
        switch self {
        case .sandbox: "api-manage-broadcast.sandbox.push.apple.com"
        case .production: "api-manage-broadcast.push.apple.com"
        }
    }

    /// The only port of that host.
    public var channelManagementPort: Int {
        switch self {
        case .sandbox: 2195
        case .production: 2196
        }
    }
}
