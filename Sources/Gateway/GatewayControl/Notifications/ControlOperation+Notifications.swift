import GatewayCore

extension ControlOperation {
    static let ofNotifications: [ControlOperation] = [
        ControlOperation(
            "GET", "/api/notifications", "listNotifications", "lists the journal, newest first",
            parameters: [
                Parameter(
                    name: "outcome", schema: .words(["accepted", "refused", "unprocessed"]), why: "The outcome."),
                Parameter(name: "reason", schema: .string, why: "The code, such as BadDeviceToken."),
                Parameter(name: "topic", schema: .string, why: "The value of apns-topic."),
                Parameter(name: "token", schema: .string, why: "The device token, in either case."),
                Parameter(name: "push-type", schema: .string, why: "The value of apns-push-type."),
                Parameter(name: "collapse-id", schema: .string, why: "The value of apns-collapse-id."),
                Parameter(name: "apns-id", schema: .string, why: "The value of apns-id, in either case."),
                Parameter(name: "channel-id", schema: .string, why: "The channel of a broadcast."),
                Parameter(name: "request", schema: .words(RequestKind.self), why: "The kind of request."),
                Parameter(name: "since", schema: .moment, why: "Only what was received at this time or later."),
                Parameter(
                    name: "q", schema: .string,
                    why: "A string in the headers, the reason, the explanation or the payload."),
                limit, cursor,
            ], [.json(.named("NotificationPage"), "One page.")]
        ) { api, request, _ in try api.notifications(request) },
        ControlOperation(
            "POST", "/api/notifications", "sendNotification", "sends an envelope, without a provider token",
            body: .envelope,
            [
                .json(201, .named("Notification"), "It was judged; outcome has the result."),
                .problem(503, "It is no longer in the journal."),
            ]
        ) { api, request, _ in try api.send(request) },
        ControlOperation(
            "POST", "/api/validate", "validate", "checks an envelope with the validator", body: .envelope,
            [.json(.named("Validation"), "Every finding with its place in the payload.")]
        ) { api, request, _ in try api.validate(request) },
        ControlOperation(
            "DELETE", "/api/notifications", "emptyJournal", "empties the journal", [.none("The journal is empty.")]
        ) { api, _, _ in api.deleteNotifications() },
        ControlOperation(
            "GET", "/api/notifications/{apns-unique-id}", "getNotification", "shows one notification, with its life",
            [
                .json(.named("Notification"), "The notification and everything that happened to it."),
                .problem(404, "The journal has no such entry."),
            ]
        ) { api, _, arguments in try api.notification(arguments[0]) },
        ControlOperation(
            "POST", "/api/verify", "verify", "checks whether the journal has what is expected, and waits for it",
            body: .verify,
            [
                .json(.named("Verification"), "What was found, and the near misses."),
                .problem(503, "Too many clients are waiting, or the wait was cut short."),
            ]
        ) { api, request, _ in try api.verify(request) },
    ]

    static let limit = Parameter(
        name: "limit", schema: .integer(1...1000), why: "The maximum number on a page. Absent: 100.")
    static let cursor = Parameter(
        name: "cursor", schema: .string(pattern: "^[0-9]{1,18}$"), why: "The value of \"next\" of the previous page.")
}
