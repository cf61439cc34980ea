import GatewayConfiguration

/// Requests about worlds.
extension ControlSchema {
    /// Up to 18446744073709551615, which the schema does not say: it is more than programs that read it may have as a number.
    static let seed = ControlSchema.integer(from: 0)

    static let newWorld = ControlSchema.request(
        [
            "name": worldName,
            "port": .integer(0...65_535).described("A separate port for its senders; 0 selects a free one."),
            "seed": seed, "environment": environment, "devices": .words(["open", "strict"]),
            "clock": clockSetting,
            "from": .anyOf([worldName, .named("WorldFile")]).described(
                "What it is a copy of: another world, or a file of GET /api/export."),
            "token": .anyOf([.boolean, .string(from: GatewayConfiguration.minimumControlTokenBytes, to: 256)])
                .described(
                    "What clients must send as a bearer token for this world; true makes one."),
        ], required: ["name"])
}
