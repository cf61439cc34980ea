extension ControlOperation {
    private static let noWorld = Answer.problem(404, "There is no such world.")

    static let ofWorlds: [ControlOperation] = [
        ControlOperation(
            "GET", "/api/worlds", "listWorlds", "the worlds, by name",
            parameters: [
                limit,
                Parameter(name: "cursor", schema: .worldName, why: "\"next\" of the page before."),
            ], isOfGateway: true, [.json(.named("WorldList"), "One page.")]
        ) { api, request, _ in try api.listWorlds(request) },
        ControlOperation(
            "POST", "/api/worlds", "makeWorld", #"makes one: {"name":"orders"}; also made by its first use"#,
            body: .newWorld, isOfGateway: true,
            [
                .json(201, .named("World"), "It is there."),
                .problem(409, "There is one of this name, or its port cannot be opened."),
            ]
        ) { api, request, _ in try api.newWorld(request) },
        ControlOperation(
            "GET", "/api/worlds/{world}", "getWorld", "one world", isOfGateway: true,
            [.json(.named("World"), "What there is in it."), noWorld]
        ) { api, _, arguments in try api.world(arguments[0]) },
        ControlOperation(
            "DELETE", "/api/worlds/{world}", "removeWorld", "removes one, with its connections", isOfGateway: true,
            [.none("It is gone."), noWorld, .problem(409, "The world of those that name none stays.")]
        ) { api, _, arguments in try api.removeWorld(arguments[0]) },
    ]
}
