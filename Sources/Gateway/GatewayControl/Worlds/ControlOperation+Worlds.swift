import GatewayJSON

extension ControlOperation {
    private static let noWorld = Answer.problem(404, "There is no such world.")

    static let ofWorlds: [ControlOperation] = [
        ControlOperation(
            "GET", "/api/export", "exportWorld", "the world as a file: apps, keys, devices, faults, clock, journal",
            parameters: [
                Parameter(
                    name: "state", schema: .words(["true", "false"]),
                    why: "Whether to include what happened; without it the devices are under registered-devices.")
            ], [.json(.named("WorldFile"), "The world.")]
        ) { api, request, _ in try api.export(request) },
        ControlOperation(
            "POST", "/api/import", "importWorld", "puts an exported world in the place of this one",
            body: .named("WorldFile"), maximumBodyBytes: WorldDocument.maximumBytes,
            [
                .json(.named("World"), "The world as it is now."),
                .problem(409, "The file is of the other environment."),
            ]
        ) { api, request, _ in try api.importWorld(request) },
        ControlOperation(
            "GET", "/api/worlds", "listWorlds", "lists the worlds by name",
            parameters: [
                limit,
                Parameter(name: "cursor", schema: .worldName, why: "The value of \"next\" of the previous page."),
            ], isOfGateway: true, [.json(.named("WorldList"), "One page.")]
        ) { api, request, _ in try api.listWorlds(request) },
        ControlOperation(
            "POST", "/api/worlds", "makeWorld",
            #"creates one: {"name":"orders"}; any POST below /w/{name} and a sender do too"#,
            body: .newWorld, maximumBodyBytes: WorldDocument.maximumBytes, isOfGateway: true,
            [
                .json(201, .named("World"), "The world is created."),
                .problem(404, "There is no world of the name in \"from\"."),
                .problem(409, "A world of this name exists, or its port cannot be opened."),
            ]
        ) { api, request, _ in try api.newWorld(request) },
        ControlOperation(
            "DELETE", "/api/worlds", "removeIdleWorlds", "removes those that nobody has used for a time: ?idle=1h",
            parameters: [
                Parameter(
                    name: "idle", schema: .string(pattern: "^[0-9]{1,6}(ms|s|m|h|d)$"),
                    why: "For how long nobody has used them. The default world and those of the configuration stay.",
                    isRequired: true)
            ], isOfGateway: true,
            [.json(.object(["removed": .array(.worldName)]), "The names of the removed worlds.")]
        ) { api, request, _ in try api.removeIdleWorlds(request) },
        ControlOperation(
            "GET", "/api/worlds/{world}", "getWorld", "shows one world", isOfGateway: true,
            [.json(.named("World"), "The state of the world."), noWorld]
        ) { api, _, arguments in try api.world(arguments[0]) },
        ControlOperation(
            "DELETE", "/api/worlds/{world}", "removeWorld", "removes one, with its connections", isOfGateway: true,
            [.none("The world is removed."), noWorld, .problem(409, "The default world cannot be removed.")]
        ) { api, _, arguments in try api.removeWorld(arguments[0]) },
    ]
}
