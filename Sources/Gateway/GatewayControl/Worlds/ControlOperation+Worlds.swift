extension ControlOperation {
    private static let noWorld = Answer.problem(404, "There is no such world.")

    static let ofWorlds: [ControlOperation] = [
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
            body: .newWorld, isOfGateway: true,
            [
                .json(201, .named("World"), "The world is created."),
                .problem(409, "A world of this name exists, or its port cannot be opened."),
            ]
        ) { api, request, _ in try api.newWorld(request) },
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
