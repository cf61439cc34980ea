import APNSPayload
import GatewayCore

/// Requests about faults.
extension ControlSchema {
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
}
