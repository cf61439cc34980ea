package import GatewayCore

extension DevicePatch {
    /// The keys of a device's state, in requests and configuration files.
    package static let keys = [
        "online", "awake", "low-power", "low-data", "background-refresh", "notifications", "app-state", "budget",
        "expires",
    ]
}
