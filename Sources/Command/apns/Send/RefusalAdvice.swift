import APNSModel

/// What to do about a refusal, in one line.
enum RefusalAdvice {
    /// The advice from the table, or for an unknown reason from the meaning of its status.
    static func line(for reason: Reason) -> String {
        if let known = table[reason] ?? channelTable[reason] { return known }
        if reason.code.isEmpty {
            return "the answer has no reason: check that --gateway is APNs or a gateway simulator"
        }
        switch reason.retry {
        case .later: return "wait, then send it again"
        case .onNewConnection: return "send it again over another connection"
        case .never: return "do not send it again"
        case .afterFix:
            return "this reason is not known here; look it up in Apple's list of reasons, and fix the request"
        }
    }

    /// The advice about a refused broadcast.
    static func line(forBroadcast reason: Reason) -> String {
        if reason == .badExpirationDate {
            return "a channel that stores nothing takes --expiration once only, and others at most 8 hours"
        }
        return channelTable[reason] ?? line(for: reason)
    }

    /// The reasons for broadcasts and requests about channels only.
    static let channelTable: [Reason: String] = [
        .badChannelID: "give the channel id as apns channels create or list prints it",
        .badRequestParams:
            "the gateway does not know an attribute of the request: check that it is APNs or a simulator",
        .badRequestPayload: "the gateway cannot read the request: look for a proxy that changes requests",
        .cannotCreateChannelConfig: "the app has as many channels as it may: delete some with apns channels delete",
        .channelNotRegistered: "there is no such channel in this environment: create it, or change --environment",
        .featureNotEnabled: "turn on the capability for broadcasts of the app, in the developer account",
        .missingChannelID: "give a channel id",
        .missingChannelQueueSize: "give --storage nothing or most-recent",
        .missingPushType: "give --push-type liveactivity",
        .topicMismatch: "the credentials are not for this app: check --topic, --key and --team-id",
    ]

    static let table = Reason.adviceTable.merging(optionTable) { _, own in own }

    /// The reasons whose advice names an option.
    private static let optionTable: [Reason: String] = [
        .badCollapseID: "shorten --collapse-id to \(CollapseID.maximumBytes) bytes",
        .badExpirationDate: "give --expiration whole seconds since 1970, or once",
        .badMessageID: "give --apns-id a UUID in the form 8-4-4-4-12",
        .badPriority: "give --priority 10 or 5; a background push needs 5",
        .badTopic: "give --topic the bundle id, with the suffix of the push type where it has one",
        .deviceTokenNotForTopic: "the device token belongs to another app: check --topic and its suffix",
        .invalidPushType: "give --push-type a type that APNs knows and that fits the suffix of the topic",
        .missingDeviceToken: "give a device token with --token or --tokens",
        .missingTopic: "give --topic the bundle id of the app",
        .topicDisallowed:
            "the credentials may not send to this topic: check --topic, --team-id and the push capability of the app",
        .badCertificate: "APNs does not take the certificate: make a new push certificate, or use --key",
        .badCertificateEnvironment: "the certificate is for the other environment: change --environment",
        .missingProviderToken: "give --key, --key-id and --team-id, or --certificate",
        .badEnvironmentKeyInToken:
            "the key is for the other environment only: change --environment, or use another key",
        .badPath: "the path is wrong: check that --gateway is one of APNs or a gateway simulator",
        .payloadTooLarge: "shorten the payload; apns validate shows its size and limit",
    ]
}
