import APNSModel
import APNSPayload
import GatewayConfiguration
import GatewayCore
import GatewayJSON

/// The schemas of the control API's requests.
extension ControlSchema {
    static let deviceRegistration = ControlSchema.request(
        [
            "topic": topic, "token": deviceToken, "environment": environment, "kind": .words(DeviceKind.self),
        ], required: ["topic"])

    static let devicePatch = ControlSchema.request([
        "online": .boolean, "awake": .boolean, "low-power": .boolean, "low-data": .boolean,
        "background-refresh": .boolean, "notifications": .boolean, "app-state": .words(Device.AppState.self),
        "budget": .string.described("Such as 3/1h, or unlimited, or default."), "expires": moment,
        "channels": .array(.string),
    ])

    static let clockSetting = ControlSchema.anyOf([
        .request(["mode": .words(["real", "manual"]), "now": moment], required: ["mode"]),
        .request(["mode": .words(["real", "manual"]), "now": moment], required: ["now"]),
    ])

    /// A duration that is not negative.
    static let noticed = ControlSchema.string(pattern: "^[0-9]{1,6}(ms|s|m|h|d)$")
    static let tokenChange = ControlSchema.request(["noticed-after": noticed])

    static let clockStep = ControlSchema.request(["by": duration], required: ["by"])

    static let appRegistration = ControlSchema.request(
        [
            "topic": topic, "team-id": teamID,
            "capabilities": .array(.words(RegisteredApp.everyCapability.sorted())),
        ],
        required: ["topic", "team-id"])

    static let keyRegistration = ControlSchema.request(
        [
            "key-id": .string(pattern: "^[0-9A-Z]{10}$").example("ABC123DEFG"), "team-id": teamID,
            "public-key": .string.described("PEM of a P-256 key."), "kind": .words(["team", "topic"]),
            "topics": .array(topic, to: 400),
            "environments": .array(environment, from: 1).described(
                "One for a topic-specific key. Absent: the world's for such a key, both for other keys."),
        ], required: ["key-id", "team-id", "public-key"])

    static let faultRule = ControlSchema.request(
        [
            "match": .request([
                "world": worldName, "token": deviceToken, "topic": topic, "app": topic, "push-type": .string,
                "headers": faultHeaders,
            ]), "effect": .named("FaultEffect"), "probability": .number(0, 1),
            "count": .integer(1...Int64(Int32.max)), "until": moment,
        ], required: ["effect"])

    private static let faultHeaders: ControlSchema = {
        let condition = ControlSchema.anyOf([.boolean, .string])
        var names: [(String, ControlSchema)] = []
        for name in HeaderCondition.Name.allCases {
            names.append((name.rawValue, name == .authorization ? .boolean : condition))
        }
        return .open(names)
    }()

    private static let yes = ControlSchema.constant(true)
    private static let yesOrAfter = ControlSchema.anyOf([yes, .constant("after")])
    private static let word = ControlSchema.integer(0...Int64(UInt32.max))
    private static let code = ControlSchema.string(pattern: "^[A-Za-z0-9]{1,64}$")

    private static let length = ControlSchema.string(pattern: "^[0-9]{1,9}(ms|s|m|h|d)$")
        .described("A duration from 0 to 30 days.")

    static let delay = ControlSchema.anyOf([
        length, .constant("never"),
        .request(
            ["log-normal": .request(["median": length, "sigma": .number(0, 5)], required: ["median", "sigma"])],
            required: ["log-normal"]),
        .request(["uniform": .array(length, from: 2, to: 2)], required: ["uniform"]),
    ])
    private static let windowBytes = ControlSchema.integer(WindowFault.range)
    private static let endingDelay = length

    static let faultEffect = ControlSchema.anyOf([
        only(
            "refuse",
            .request(
                [
                    "status": .integer(400...599).described("Absent: that of the documented reason."), "reason": code,
                    "max-concurrent-streams": word,
                ], required: ["reason"])),
        only("delay", .named("FaultDelay")), only("silence", yesOrAfter),
        only("reset", .anyOf([word, .request(["code": word, "after": .boolean], required: ["code"])])),
        only(
            "goaway",
            .request([
                "reason": code, "last-stream": .words(["this", "previous", "all"]), "twice": .boolean,
                "close": .anyOf([.boolean, .constant("now")]), "code": word,
            ])),
        only("disconnect", .anyOf([yesOrAfter, .request(["after": .boolean, "reset": .boolean])])),
        only("half-open", yesOrAfter), only("max-concurrent-streams", word),
        only(
            "window",
            .anyOf([windowBytes, .request(["bytes": windowBytes, "for": endingDelay], required: ["bytes"])])),
        only("lose", yes), only("duplicate", .integer(2...100)), only("offline", .anyOf([yes, endingDelay])),
        only("uninstall", .named("FaultDelay")), only("slow-body", .named("FaultDelay")),
        only("slow-accept", .named("FaultDelay")),
    ])

    private static func only(_ key: String, _ schema: ControlSchema) -> ControlSchema {
        .request([key: schema], required: [key])
    }

    static let match: ControlSchema = {
        let texts = ControlSchema.anyOf([.string, .integer])
        let wish = ControlSchema.anyOf([.boolean, .string, .integer, .array(texts, from: 1)])
        var members = NotificationMatch.Field.allCases.map { ($0.rawValue, wish) }
        members.append(("payload", .any.described("Of an object only the members given here are compared.")))
        for short in NotificationMatch.shortKeys { members.append((short, wish)) }
        return .open(members).described(
            "The string or number that a field must equal, an array of which it must equal one, true for present, "
                + "false or null for absent.")
    }()

    static let verify = ControlSchema.request([
        "match": .named("Match"),
        "count": .anyOf(
            ["exactly", "at-least", "at-most"].map { only($0, .integer(0...1_000_000_000)) }),
        "within": .string(pattern: "^([0-9]{1,5}ms|[12]?[0-9]{1,2}s|[0-5]m)$")
            .described("How long to wait, such as 5s; at most 5m. Absent: not at all."),
        "since": moment.described("Only what was received at this time of the world's clock or later."),
        "watch": .boolean.described(
            "Whether to wait the whole time, even if the count is reached early. Absent: only if a count of 0 is enough."
        ),
    ])

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

    static let newWebhook = ControlSchema.request(
        [
            "url": .string(pattern: "^https?://").example("http://127.0.0.1:9000/events"),
            "events": .array(.words(GatewayEvent.names), from: 1),
        ], required: ["url"])
}
