import APNSModel

/// The tables for broadcasts and for the management of channels. Apple documents no order for these either: credentials come
/// first, then the app of the path, then headers, body and channel. Evidence marks are for the place in the order.
extension Checks {
    /// A request with any other path is judged as a notification to a device, so `BadPath` has no row here.
    static let broadcastTable: [Check] =
        rows(ofSteps: 0...0) + [
            Check(1, "broadcast-host", [.badPath], .inferred, BroadcastChecks.host),
            Check(2, "method", [.methodNotAllowed], .observed, ChannelChecks.method),
        ] + rows(ofSteps: 3...7) + appRows + [
            Check(9, "request-id", [.badMessageID], .inferred, ChannelChecks.requestID),
            Check(9, "broadcast-expiration", [.badExpirationDate], .inferred, BroadcastChecks.expiration),
            Check(9, "broadcast-priority", [.badPriority], .inferred, BroadcastChecks.priority),
            Check(10, "broadcast-topic", [.topicDisallowed], .inferred, BroadcastChecks.topic),
            Check(
                11, "broadcast-push-type", [.missingPushType, .invalidPushType], .inferred, BroadcastChecks.pushType),
            Check(12, "payload-empty", [.payloadEmpty], .inferred, ChannelChecks.bodyPresent),
            Check(12, "payload-too-large", [.payloadTooLarge], .inferred, ChannelChecks.bodySize),
            Check(12, "payload-json", [.payloadEmpty], .inferred, PayloadChecks.json),
            Check(13, "channel-id-present", [.missingChannelID], .inferred, ChannelChecks.idPresent),
            Check(13, "channel-id-form", [.badChannelID], .inferred, ChannelChecks.idForm),
            Check(13, "channel-registered", [.channelNotRegistered], .inferred, ChannelChecks.registered),
            Check(16, "channel-storage", [.badExpirationDate], .inferred, BroadcastChecks.storage),
            Check(18, "channel-rate", [.tooManyRequests], .inferred, BroadcastChecks.rate),
        ]

    /// A request to a management host without credentials got `MissingProviderToken` whatever else was wrong with it, so
    /// the credentials come first here (docs/reference/apns.md 3.5).
    static let managementTable: [Check] =
        rows(ofSteps: 0...0) + rows(ofSteps: 4...7) + [
            Check(8, "path", [.badPath], .observed, ChannelChecks.path),
            Check(8, "method", [.methodNotAllowed], .observed, ChannelChecks.method),
        ] + rows(ofSteps: 3...3) + appRows + [
            Check(9, "request-id", [.badMessageID], .inferred, ChannelChecks.requestID),
            Check(12, "payload-empty", [.payloadEmpty], .inferred, ChannelChecks.bodyPresent),
            Check(12, "payload-too-large", [.payloadTooLarge], .inferred, ChannelChecks.bodySize),
            Check(12, "channel-body", [.badRequestPayload], .inferred, ChannelBodyChecks.form),
            Check(12, "channel-attributes", [.badRequestParams], .inferred, ChannelBodyChecks.attributes),
            Check(
                12, "channel-push-type", [.missingPushType, .invalidPushType], .inferred, ChannelBodyChecks.pushType),
            Check(
                12, "channel-storage-policy", [.missingChannelQueueSize, .badRequestParams], .clients,
                ChannelBodyChecks.storagePolicy),
            Check(13, "channel-id-present", [.missingChannelID], .inferred, ChannelChecks.idPresent),
            Check(13, "channel-id-form", [.badChannelID], .inferred, ChannelChecks.idForm),
            Check(13, "channel-registered", [.channelNotRegistered], .inferred, ChannelChecks.registered),
            Check(17, "channel-limit", [.cannotCreateChannelConfig], .inferred, ChannelChecks.limit),
            Check(17, "channel-capacity", [.serviceUnavailable], .inferred, ChannelChecks.capacity),
        ]

    private static let appRows = [
        Check(8, "app-form", [.badPath], .inferred, ChannelChecks.appForm),
        Check(8, "app-suffix", [.topicDisallowed], .inferred, ChannelChecks.appSuffix),
        Check(8, "app-credentials", [.topicMismatch], .inferred, ChannelChecks.appCredentials),
        Check(8, "app-capability", [.featureNotEnabled], .inferred, ChannelChecks.appCapability),
    ]

    /// The checks of notifications at these steps, which are the same for channels.
    private static func rows(ofSteps steps: ClosedRange<Int>) -> [Check] {
        table.filter { steps.contains($0.step) }
    }
}
