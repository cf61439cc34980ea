import APNSPayload
import GatewayCore

/// Requests about the clock, apps and keys.
extension ControlSchema {
    static let clockSetting = ControlSchema.anyOf([
        .request(["mode": .words(["real", "manual"]), "now": moment], required: ["mode"]),
        .request(["mode": .words(["real", "manual"]), "now": moment], required: ["now"]),
    ])

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
}
