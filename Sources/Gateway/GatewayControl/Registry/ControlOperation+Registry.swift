extension ControlOperation {
    static let ofRegistry: [ControlOperation] = [
        ControlOperation(
            "GET", "/api/clock", "getClock", "the clock of the world", [.json(.named("Clock"), "Its mode and time.")]
        ) { api, _, _ in .ok(api.clock) },
        ControlOperation(
            "PUT", "/api/clock", "setClock", #"sets it: {"mode":"manual","now":"2026-11-21T07:00:00Z"}"#,
            body: .clockSetting, [.json(.named("Clock"), "Its new mode and time.")]
        ) { api, request, _ in try api.setClock(request) },
        ControlOperation(
            "POST", "/api/clock/advance", "advanceClock", #"moves it: {"by":"55m"}"#, body: .clockStep,
            [.json(.named("Clock"), "Its new time.")]
        ) { api, request, _ in try api.advanceClock(request) },
        ControlOperation(
            "GET", "/api/apps", "listApps", "lists the registered apps", [.json(.named("AppList"), "All of them.")]
        ) { api, _, _ in api.apps() },
        ControlOperation(
            "POST", "/api/apps", "registerApp", "adds or changes one", body: .appRegistration,
            [.json(201, .named("App"), "It is registered.")]
        ) { api, request, _ in try api.registerApp(request) },
        ControlOperation(
            "GET", "/api/keys", "listKeys", "lists the keys that provider tokens may be signed with",
            [.json(.named("KeyList"), "All of them, revoked ones included.")]
        ) { api, _, _ in api.keys() },
        ControlOperation(
            "POST", "/api/keys", "registerKey", "adds or changes one", body: .keyRegistration,
            [.json(201, .named("Key"), "It is registered.")]
        ) { api, request, _ in try api.registerKey(request) },
        ControlOperation(
            "DELETE", "/api/keys/{key-id}", "revokeKey", "revokes one",
            [.none("It is revoked."), .problem(404, "There is no such key, or it is already revoked.")]
        ) { api, _, arguments in try api.revokeKey(arguments[0]) },
        ControlOperation(
            "GET", "/api/settings", "getSettings", "shows the settings of the world",
            [.json(.named("Settings"), "All settings.")]
        ) { api, _, _ in api.settings() },
        ControlOperation(
            "PATCH", "/api/settings", "changeSettings",
            #"changes some: {"availability":"overloaded","contested":{"malformed-json":"refuse"}}"#,
            body: .settingsChange, [.json(.named("Settings"), "All settings, including the new ones.")]
        ) { api, request, _ in try api.changeSettings(request) },
    ]
}
