import GatewayCore

extension ControlOperation {
    static let environment = Parameter(
        name: "environment", schema: .environment, why: "Absent: the environment of the gateway.")

    private static let noDevice = Answer.problem(404, "There is no such device.")

    private static func tokenChange(_ change: DeviceTokenChange, _ summary: String) -> ControlOperation {
        ControlOperation(
            "POST", "/api/devices/{token}/\(change.rawValue)", change.rawValue, summary, parameters: [environment],
            body: .tokenChange, needsBody: false,
            [
                .json(201, .named("Device"), "The device under its new device token."), noDevice,
                .problem(409, "This device token was already replaced."),
            ]
        ) { api, request, arguments in try api.changeToken(arguments[0], by: change, request) }
    }

    static let ofDevices: [ControlOperation] = [
        ControlOperation(
            "GET", "/api/devices", "listDevices", "lists devices in the order of registration",
            parameters: [environment, limit, cursor], [.json(.named("DevicePage"), "One page.")]
        ) { api, request, _ in try api.devices(request) },
        ControlOperation(
            "POST", "/api/devices", "registerDevice", #"registers one: {"topic":"com.example.agent"}"#,
            body: .deviceRegistration,
            [
                .json(201, .named("Device"), "It is registered."),
                .problem(409, "The device token belongs to another topic."),
            ]
        ) { api, request, _ in try api.registerDevice(request) },
        ControlOperation(
            "GET", "/api/devices/{token}", "getDevice", "the state of a device", parameters: [environment],
            [.json(.named("Device"), "Its state."), noDevice]
        ) { api, request, arguments in try api.device(arguments[0], request) },
        ControlOperation(
            "PATCH", "/api/devices/{token}", "changeDevice", #"changes its state: {"online":false}"#,
            parameters: [environment], body: .devicePatch, [.json(.named("Device"), "Its new state."), noDevice]
        ) { api, request, arguments in try api.patchDevice(arguments[0], request) },
        ControlOperation(
            "DELETE", "/api/devices/{token}", "uninstall", "uninstalls the app: later sends get 410",
            parameters: [
                environment,
                Parameter(
                    name: "noticed-after", schema: .noticed,
                    why: "How long the service still accepts notifications. Absent: the setting of the gateway."),
            ], [.none("It is uninstalled."), noDevice]
        ) { api, request, arguments in try api.uninstall(arguments[0], request) },
        tokenChange(.reinstall, "gives the app a new device token; the old one becomes invalid"),
        tokenChange(.restore, "the same, as after restoring a backup to another device"),
        ControlOperation(
            "GET", "/api/devices/{token}/notifications", "inbox", "what a device received, and what waits for it",
            parameters: [environment, limit],
            [.json(.named("Inbox"), "The waiting notifications, and the delivered ones, newest first."), noDevice]
        ) { api, request, arguments in try api.inbox(arguments[0], request) },
        ControlOperation(
            "GET", "/api/devices/{token}/deliveries", "deliveries", "server-sent events of deliveries to the device",
            parameters: [
                environment,
                Parameter(
                    name: "last-event-id", schema: .string, why: "Resumes after this apns-unique-id.", place: .header),
            ],
            [
                .text("text/event-stream", "An event for each delivery; its id is the apns-unique-id."), noDevice,
                .problem(503, "There are too many listeners."),
            ]
        ) { api, request, arguments in try api.deliveries(arguments[0], request) },
        ControlOperation(
            "GET", "/api/channels", "listChannels", "lists broadcast channels and what they store",
            parameters: [
                environment, Parameter(name: "topic", schema: .string, why: "The bundle id of the app."), limit, cursor,
            ], [.json(.named("ChannelPage"), "One page.")]
        ) { api, request, _ in try api.channels(request) },
    ]
}
