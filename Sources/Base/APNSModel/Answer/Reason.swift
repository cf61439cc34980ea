/// The `reason` of a refusal by APNs, with the HTTP status of the answer.
///
/// Apple adds reasons, so an unknown one keeps its code and status, and is not an error.
public struct Reason: Hashable, Sendable, Codable {
    public let code: String
    public let status: Int

    public init(_ code: String, _ status: Int) {
        self.code = code
        self.status = status
    }

    /// When to send again (docs/reference/apns.md 3.2 and 3.4).
    public enum Retry: String, Hashable, Sendable {
        /// Never with the same device token or body.
        case never
        /// Only after the request was changed.
        case afterFix = "after-fix"
        /// The same request after a wait.
        case later
        /// After opening another connection, which a `PushProvider` does itself.
        case onNewConnection = "on-new-connection"
    }
}

extension Reason {
    public static let badCollapseID = Reason("BadCollapseId", 400)
    public static let badDeviceToken = Reason("BadDeviceToken", 400)
    public static let badExpirationDate = Reason("BadExpirationDate", 400)
    public static let badMessageID = Reason("BadMessageId", 400)
    public static let badPriority = Reason("BadPriority", 400)
    public static let badTopic = Reason("BadTopic", 400)
    public static let deviceTokenNotForTopic = Reason("DeviceTokenNotForTopic", 400)
    public static let duplicateHeaders = Reason("DuplicateHeaders", 400)
    public static let idleTimeout = Reason("IdleTimeout", 400)
    public static let invalidPushType = Reason("InvalidPushType", 400)
    public static let missingDeviceToken = Reason("MissingDeviceToken", 400)
    public static let missingTopic = Reason("MissingTopic", 400)
    public static let payloadEmpty = Reason("PayloadEmpty", 400)
    public static let topicDisallowed = Reason("TopicDisallowed", 400)
    public static let badCertificate = Reason("BadCertificate", 403)
    public static let badCertificateEnvironment = Reason("BadCertificateEnvironment", 403)
    public static let expiredProviderToken = Reason("ExpiredProviderToken", 403)
    public static let forbidden = Reason("Forbidden", 403)
    public static let invalidProviderToken = Reason("InvalidProviderToken", 403)
    public static let missingProviderToken = Reason("MissingProviderToken", 403)
    public static let unrelatedKeyIDInToken = Reason("UnrelatedKeyIdInToken", 403)
    /// The form on the wire; Apple's page has `BadEnvironmentKeyIdInToken` (docs/reference/apns.md 11, row 1). `named` accepts
    /// both.
    public static let badEnvironmentKeyInToken = Reason("BadEnvironmentKeyInToken", 403)
    public static let badPath = Reason("BadPath", 404)
    public static let methodNotAllowed = Reason("MethodNotAllowed", 405)
    public static let expiredToken = Reason("ExpiredToken", 410)
    public static let unregistered = Reason("Unregistered", 410)
    public static let payloadTooLarge = Reason("PayloadTooLarge", 413)
    public static let tooManyProviderTokenUpdates = Reason("TooManyProviderTokenUpdates", 429)
    public static let tooManyRequests = Reason("TooManyRequests", 429)
    public static let internalServerError = Reason("InternalServerError", 500)
    public static let serviceUnavailable = Reason("ServiceUnavailable", 503)
    public static let shutdown = Reason("Shutdown", 503)

    // Broadcast and channel requests (docs/reference/apns.md 3.3).
    public static let badChannelID = Reason("BadChannelId", 400)
    public static let badRequestParams = Reason("BadRequestParams", 400)
    public static let badRequestPayload = Reason("BadRequestPayload", 400)
    public static let cannotCreateChannelConfig = Reason("CannotCreateChannelConfig", 400)
    public static let channelNotRegistered = Reason("ChannelNotRegistered", 400)
    public static let featureNotEnabled = Reason("FeatureNotEnabled", 400)
    public static let missingChannelID = Reason("MissingChannelId", 400)
    public static let missingChannelQueueSize = Reason("MissingChannelQueueSize", 400)
    public static let missingPushType = Reason("MissingPushType", 400)
    public static let topicMismatch = Reason("TopicMismatch", 403)

    /// The reasons for a notification to a device, in the order of docs/reference/apns.md 3.2, with retry advice.
    package static let deviceReasons: [(reason: Reason, retry: Retry)] = [
        (.badCollapseID, .afterFix), (.badDeviceToken, .never), (.badExpirationDate, .afterFix),
        (.badMessageID, .afterFix), (.badPriority, .afterFix), (.badTopic, .afterFix),
        (.deviceTokenNotForTopic, .never), (.duplicateHeaders, .afterFix), (.idleTimeout, .onNewConnection),
        (.invalidPushType, .afterFix), (.missingDeviceToken, .afterFix), (.missingTopic, .afterFix),
        (.payloadEmpty, .afterFix), (.topicDisallowed, .afterFix), (.badCertificate, .afterFix),
        (.badCertificateEnvironment, .afterFix), (.expiredProviderToken, .later), (.forbidden, .never),
        (.invalidProviderToken, .afterFix), (.missingProviderToken, .afterFix),
        (.unrelatedKeyIDInToken, .onNewConnection), (.badEnvironmentKeyInToken, .afterFix), (.badPath, .afterFix),
        (.methodNotAllowed, .afterFix), (.expiredToken, .never), (.unregistered, .never), (.payloadTooLarge, .never),
        (.tooManyProviderTokenUpdates, .later), (.tooManyRequests, .later), (.internalServerError, .later),
        (.serviceUnavailable, .later), (.shutdown, .onNewConnection),
    ]

    /// The reasons for broadcast and channel requests only, in the order of docs/reference/apns.md 3.3.
    package static let broadcastReasons: [(reason: Reason, retry: Retry)] = [
        (.badChannelID, .afterFix), (.badRequestParams, .afterFix), (.badRequestPayload, .afterFix),
        (.cannotCreateChannelConfig, .afterFix), (.channelNotRegistered, .never), (.featureNotEnabled, .afterFix),
        (.missingChannelID, .afterFix), (.missingChannelQueueSize, .afterFix), (.missingPushType, .afterFix),
        (.topicMismatch, .afterFix),
    ]

    private static let retryByCode: [String: Retry] = Dictionary(
        (deviceReasons + broadcastReasons).map { ($0.reason.code, $0.retry) }, uniquingKeysWith: { first, _ in first })

    /// When to send again. For an unknown reason the status decides: later for 429 and from 500 on, otherwise after a fix.
    public var retry: Retry {
        Reason.retryByCode[code] ?? (status >= 500 || status == 429 ? .later : .afterFix)
    }

    /// The reason of an answer. The documented spellings `BadEnvironmentKeyIdInToken` and `Service Unavailable` become those
    /// on the wire.
    public static func named(_ code: String, status: Int) -> Reason {
        switch code {
        case "BadEnvironmentKeyIdInToken": Reason(badEnvironmentKeyInToken.code, status)
        case "Service Unavailable": Reason(serviceUnavailable.code, status)
        default: Reason(code, status)
        }
    }
}

extension Reason: CustomStringConvertible {
    public var description: String { "\(code) (\(status))" }
}
