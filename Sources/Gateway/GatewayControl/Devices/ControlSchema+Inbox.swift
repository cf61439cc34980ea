/// Requests and answers that mainly the inspector page uses.
extension ControlSchema {
    private static let header = ControlSchema.anyOf([.string, .number])

    /// An envelope with the payload as JSON, or as exact bytes.
    static let envelope = ControlSchema.anyOf([
        .request([
            "token": header, "apns-topic": header, "apns-push-type": header, "apns-priority": header,
            "apns-expiration": header, "apns-collapse-id": header, "apns-id": header, "apns-request-id": header,
            "apns-channel-id": header, "payload": .any.described("Sent in compact form."),
        ]),
        .request(
            [
                "token": header, "apns-topic": header, "apns-push-type": header, "apns-priority": header,
                "apns-expiration": header, "apns-collapse-id": header, "apns-id": header, "apns-request-id": header,
                "apns-channel-id": header,
                "payload-base64": .string(pattern: "^([A-Za-z0-9+/]{4}){0,2000}$").described("Sent unchanged."),
            ]),
    ])

    static let counts = ControlSchema.object(
        [
            "total": .integer(from: 0), "accepted": .integer(from: 0),
            "refused": .any.described("The count by the code of each reason."), "unprocessed": .integer(from: 0),
            "unanswered": .integer(from: 0),
            "per-second": .array(second).described(
                "Only with the parameter seconds: the oldest first, as far back as the journal goes; the last second ends now."
            ),
        ], optional: ["per-second"])

    private static let second = ControlSchema.object([
        "accepted": .integer(from: 0), "refused": .integer(from: 0), "unprocessed": .integer(from: 0),
    ])

    static let validation = ControlSchema.object([
        "findings": .array(.named("Finding"))
            .described("With line, column, end-line and end-column in the payload, from 1, where they are known."),
        "payload-bytes": .integer(from: 0), "maximum-payload-bytes": .integer.orNull,
    ])

    static let inbox = ControlSchema.object([
        "waiting": .array(.any).described("Envelopes with expires, the time when they are discarded."),
        "delivered": .array(.any).described(
            "Envelopes with delivered, newest first; hidden-by names a newer one of the same collapse id, which "
                + "replaces it on the screen."),
    ])
}
