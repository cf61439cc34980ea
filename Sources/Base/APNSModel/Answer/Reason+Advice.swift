extension Reason {
    /// What to do about a refusal of a notification to a device, in one line that names no option of a command; nil for other
    /// reasons.
    package var advice: String? { Reason.adviceTable[self] }

    package static let adviceTable: [Reason: String] = [
        .badCollapseID: "shorten the collapse id to \(CollapseID.maximumBytes) bytes",
        .badDeviceToken:
            "not a device token of this environment: use the other environment, or delete the device token",
        .badExpirationDate: "give the expiration as whole seconds since 1970, or 0 for once",
        .badMessageID: "give apns-id a UUID in the form 8-4-4-4-12",
        .badPriority: "give the priority 10 or 5; a background push needs 5",
        .badTopic: "give the bundle id as the topic, with the suffix of the push type where it has one",
        .deviceTokenNotForTopic: "the device token belongs to another app: check the topic and its suffix",
        .duplicateHeaders: "a header was sent twice: look for a proxy that adds headers",
        .idleTimeout: "the connection was idle for too long: send it again",
        .invalidPushType: "give a push type that APNs knows and that fits the suffix of the topic",
        .missingDeviceToken: "give a device token",
        .missingTopic: "give the bundle id of the app as the topic",
        .payloadEmpty: "give a payload; {} is the smallest one",
        .topicDisallowed:
            "the credentials may not send to this topic: check topic, team id and the push capability of the app",
        .badCertificate: "APNs does not take the certificate: make a new push certificate, or use a key",
        .badCertificateEnvironment: "the certificate is for the other environment: send to that one",
        .expiredProviderToken: "the provider token was signed more than an hour ago: check this machine's clock",
        .forbidden: "this action is not allowed: check the rights of the key in the developer account",
        .invalidProviderToken:
            "key, key id and team id do not belong together, or the key was revoked: check all three",
        .missingProviderToken: "give key, key id and team id, or a certificate",
        .unrelatedKeyIDInToken: "the connection was opened with another key: send it again over another connection",
        .badEnvironmentKeyInToken: "the key is for the other environment only: send to that one, or use another key",
        .badPath: "the path is wrong: check that the gateway is APNs or a gateway simulator",
        .methodNotAllowed: "the method is wrong: look for a proxy that changes requests",
        .expiredToken: "delete the device token",
        .unregistered: "delete the device token, unless the app has registered it again since",
        .payloadTooLarge: "shorten the payload: it has more bytes than its push type allows",
        .tooManyProviderTokenUpdates: "wait 20 minutes; one provider token serves all senders with this key",
        .tooManyRequests: "too many for this one device: wait before sending to it again",
        .internalServerError: "APNs failed: wait 15 minutes, then longer each time",
        .serviceUnavailable: "APNs is overloaded: wait 15 minutes, then longer each time",
        .shutdown: "APNs is closing this connection: send it again over another one",
    ]
}
