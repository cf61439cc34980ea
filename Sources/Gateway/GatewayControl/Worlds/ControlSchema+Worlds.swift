import GatewayConfiguration

/// Requests about worlds.
extension ControlSchema {
    static let newWorld = ControlSchema.request(
        [
            "name": worldName,
            "port": .integer(0...65_535).described("A separate port for its senders; 0 selects a free one."),
            "seed": .integer(0...Int64.max), "environment": environment, "devices": .words(["open", "strict"]),
            "clock": clockSetting,
            "from": .anyOf([worldName, .named("WorldFile")]).described(
                "What it is a copy of: another world, or a file of GET /api/export."),
            "token": .anyOf([.boolean, .string(from: GatewayConfiguration.minimumControlTokenBytes, to: 256)])
                .described(
                    "What clients must send as a bearer token for this world; true makes one."),
        ], required: ["name"])
}
