import APNSModel
import APNSPayload
import GatewayCore
import GatewayJSON

/// The components of the control API's answers, by their names in the OpenAPI document.
extension ControlSchema {
    static let components: [String: ControlSchema] = [
        "Problem": problem, "Finding": finding, "LifeEntry": lifeEntry, "Notification": notification,
        "NotificationPage": page("notifications", of: "Notification"), "Device": device,
        "DevicePage": page("devices", of: "Device"), "Channel": channel, "ChannelPage": page("channels", of: "Channel"),
        "Fault": fault, "FaultList": list("faults", of: "Fault"), "Clock": clock, "App": app,
        "AppList": list("apps", of: "App"), "Key": key, "KeyList": list("keys", of: "Key"), "World": world,
        "WorldList": worldList, "WorldFile": worldFile, "Webhook": webhook,
        "WebhookList": list("webhooks", of: "Webhook"),
        "Verification": verification, "NearMiss": nearMiss, "FaultEffect": faultEffect, "FaultDelay": delay,
        "Match": match, "Settings": settings, "Counts": counts, "Validation": validation, "Inbox": inbox,
    ]

    static let pathParameters: [String: ControlSchema] = [
        "token": deviceToken, "world": worldName, "id": .string(pattern: "^[0-9]{1,9}$"),
        "file": .string(pattern: "^[a-z]{1,20}\\.(css|js|svg)$"),
        "key-id": .string(pattern: "^[0-9A-Z]{10}$"),
        "apns-unique-id": .string(pattern: uuid),
    ]

    static let uuid = "^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$"
    static let deviceToken = ControlSchema.string(pattern: "^([0-9a-fA-F]{2}){1,100}$")
    static let topic = ControlSchema.string(pattern: "^[A-Za-z0-9._-]{1,200}$").example("com.example.agent")
    static let teamID = ControlSchema.string(pattern: "^[0-9A-Z]{10}$").example("ABCDE12345")
    static let duration = ControlSchema.string(pattern: "^-?[0-9]{1,6}(ms|s|m|h|d)$")
        .described("Such as 250ms, 5s, 55m, 2h or 30d; a minus sign goes back in time.")
    static let worldName = ControlSchema.string(pattern: "^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$")
    static let environment = ControlSchema.words(["sandbox", "production"])
    /// RFC 3339 or Unix seconds: a time in a request.
    static let moment = ControlSchema.anyOf([
        .string(
            pattern: "^20[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]Z$"),
        .integer(0...253_402_300_799),
    ])

    private static func page(_ name: String, of component: String) -> ControlSchema {
        .object([
            "total": .integer(from: 0), name: .array(.named(component)),
            "next": .string.orNull.described("The cursor of the next page; null on the last."),
        ])
    }

    private static func list(_ name: String, of component: String) -> ControlSchema {
        .object([name: .array(.named(component))])
    }

    private static let problem = ControlSchema.object(
        [
            "type": .string.described("A URN that stays the same for the same kind of problem."), "title": .string,
            "status": .integer(400...599), "detail": .string.described("What is wrong and what to do."),
            "pointer": .string.described("The JSON pointer of the member of the body that is wrong."),
            "parameter": .string.described("The query parameter that is wrong."),
        ], optional: ["pointer", "parameter"])

    private static let finding = ControlSchema.object([
        "rule": .string, "severity": .words(["error", "warning", "note"]),
        "layer": .words(["gateway", "delivery", "device", "style"]), "pointer": .string.orNull, "message": .string,
    ])

    private static let lifeEntry = ControlSchema.object(["stage": .string, "at": .time, "why": .string])

    private static let notification = ControlSchema.object(
        [
            "apns-unique-id": .string(pattern: uuid), "request": .words(RequestKind.self), "token": .string,
            "apns-channel-id": .string, "apns-topic": .string, "apns-push-type": .string,
            "apns-priority": .anyOf([.integer, .string]), "apns-expiration": .anyOf([.integer, .string]),
            "apns-collapse-id": .string, "apns-id": .string, "apns-request-id": .string, "payload": .any,
            "payload-base64": .string.described("The bytes of a body that is not JSON, or was not kept whole."),
            "payload-bytes": .integer(from: 0), "outcome": .words(["accepted", "refused", "unprocessed"]),
            "status": .integer.orNull, "reason": .string.orNull, "timestamp": .integer, "why": .string, "rule": .string,
            "fault": .object(["id": .string, "why": .string]), "received": .time, "environment": environment,
            "key-id": .string, "team-id": .string, "verified": .boolean, "sent-by": .constant("control"),
            "findings": .array(.named("Finding")), "stage": .string, "life": .array(.named("LifeEntry")),
        ],
        optional: [
            "request", "token", "apns-channel-id", "apns-topic", "apns-push-type", "apns-priority", "apns-expiration",
            "apns-collapse-id", "apns-id", "apns-request-id", "payload", "payload-base64", "timestamp", "fault",
            "key-id", "team-id", "sent-by", "stage", "life",
        ])

    private static let device = ControlSchema.object(
        [
            "token": deviceToken, "topic": .string, "environment": environment, "kind": .words(DeviceKind.self),
            "registered": .time, "registered-by": .words(["use", "client"]), "installed": .boolean,
            "uninstalled": .time, "replaced-by": deviceToken, "replaces": deviceToken,
            "expires": .time, "online": .boolean, "back": .time, "awake": .boolean, "low-power": .boolean,
            "low-data": .boolean, "background-refresh": .boolean, "notifications": .boolean,
            "app-state": .words(Device.AppState.self),
            "budget": .string, "counted": .array(.time), "activity-ended": .time, "channels": .array(.string),
            "listeners": .integer(from: 0), "waiting": .integer(from: 0), "stored": .array(stored),
        ], optional: ["uninstalled", "replaced-by", "replaces", "expires", "back", "activity-ended"])

    private static let stored = ControlSchema.object(
        [
            "apns-unique-id": .string, "apns-channel-id": .string, "apns-collapse-id": .string, "expires": .time,
            "held-for": .string, "held-until": .time,
        ], optional: ["apns-channel-id", "apns-collapse-id", "held-for", "held-until"])

    private static let channel = ControlSchema.object([
        "apns-channel-id": .string, "topic": .string, "environment": environment, "message-storage-policy": .integer,
        "push-type": .string, "created": .time, "subscribers": .integer(from: 0), "stored": .any,
    ])

    private static let fault = ControlSchema.object(
        [
            "id": .string, "match": .any, "effect": .any, "probability": .number(0, 1), "used": .integer(from: 0),
            "count": .integer(from: 1), "remaining": .integer(from: 0), "until": .time,
        ], optional: ["count", "remaining", "until"])

    private static let clock = ControlSchema.object(["mode": .words(["real", "manual"]), "now": .time])

    private static let app = ControlSchema.object([
        "topic": .string, "team-id": .string, "capabilities": .array(.string),
    ])

    private static let key = ControlSchema.object(
        [
            "key-id": .string, "team-id": .string, "kind": .words(["team", "topic"]), "topics": .array(.string),
            "environments": .array(environment), "revoked": .boolean, "public-key": .string,
        ], optional: ["topics"])

    private static let world = ControlSchema.object(
        [
            "name": worldName, "host": .string, "environment": environment, "clock": .named("Clock"),
            "notifications": .integer(from: 0), "devices": .integer(from: 0), "faults": .integer(from: 0),
            "held-bytes": .integer(from: 0), "idle-seconds": .integer(from: 0), "port": .integer(1...65_535),
            "token": .string,
        ], optional: ["port", "token"])

    /// Its other members are those of a world in a configuration file.
    private static let worldFile = ControlSchema.object(
        [
            "apns-world": .constant(.integer(Int64(WorldDocument.version))), "name": worldName,
            "environment": environment, "apps": .array(.any), "keys": .array(.any), "faults": .array(.any),
            "registered-devices": .array(.any),
            "state": .any.described("What happened: deliveries, channels, journal. Keep it as it was exported."),
        ],
        optional: ["apns-world", "name", "environment", "apps", "keys", "faults", "registered-devices", "state"]
    ).described("A world as GET /api/export writes it, with the keys of a world that docs/configuration.md lists.")

    private static let worldList = ControlSchema.object([
        "total": .integer(from: 1), "maximum": .integer(from: 1), "worlds": .array(.named("World")),
        "next": .string.orNull,
    ])

    private static let webhook = ControlSchema.object([
        "id": .string, "url": .string, "events": .array(.string), "delivered": .integer(from: 0),
        "failed": .integer(from: 0), "dropped": .integer(from: 0), "retries": .integer(from: 0),
        "last-error": .string.orNull,
    ])

    private static let nearMiss = ControlSchema.object([
        "apns-unique-id": .string,
        "differences": .array(
            .object([
                "field": .string.described("A key of the match, or a place such as payload/aps/badge."),
                "wanted": .any, "found": .any.described("Null if it is absent."),
            ])),
    ])

    private static let verification = ControlSchema.object([
        "satisfied": .boolean, "matched": .integer(from: 0), "expected": .string,
        "notifications": .array(.string).described("The apns-unique-id of the newest that match."),
        "near-misses": .array(.named("NearMiss")),
    ])
}
