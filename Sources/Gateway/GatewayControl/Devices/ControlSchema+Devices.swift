import GatewayCore

/// Requests about devices.
extension ControlSchema {
    static let deviceRegistration = ControlSchema.request(
        [
            "topic": topic, "token": deviceToken, "environment": environment, "kind": .words(DeviceKind.self),
        ], required: ["topic"])

    static let devicePatch = ControlSchema.request([
        "online": .boolean, "awake": .boolean, "low-power": .boolean, "low-data": .boolean,
        "background-refresh": .boolean, "notifications": .boolean, "app-state": .words(Device.AppState.self),
        "budget": .string.described("Such as 3/1h, or unlimited, or default."),
        "expires": .anyOf([moment, .words(["never"])]), "channels": .array(.string),
    ])

    /// A duration that is not negative.
    static let noticed = ControlSchema.string(pattern: "^[0-9]{1,6}(ms|s|m|h|d)$")
    static let tokenChange = ControlSchema.request(["noticed-after": noticed])
}
