package import APNSModel

/// What is not settled about APNs, as settings. Each is a row of apns-protocol.md section 11 and starts with the default
/// given there.
package struct Contested: Hashable, Sendable, Codable {
    /// Row 1: the documented `BadEnvironmentKeyIdInToken` instead of the `BadEnvironmentKeyInToken` seen on the wire.
    package var usesDocumentedEnvironmentReason = false
    /// Row 2: error bodies with spaces and a `content-type`, as one example of Apple's prints them.
    package var usesDocumentedErrorBody = false
    /// Row 4: refuses an upper-case `apns-id` with `BadMessageId`.
    package var refusesUppercaseID = false
    /// Row 5: takes only the strict form of a provider token (base64url without padding, raw signature, `iat` a number).
    package var requiresStrictProviderTokens = false
    /// Row 6: what "once in 20 minutes" is counted for.
    package var updateScope = UpdateScope.connection
    /// Row 11: lets background pushes with priority 10 through.
    package var acceptsBackgroundAtPriority10 = false
    /// Row 12: the older status 400 for `ExpiredToken`.
    package var expiredTokenStatus = 410
    /// Row 14: whether Live Activity topics may stand in a certificate.
    package var acceptsLiveActivityCertificates = true
    /// Row 15: what a topic outside the team or the certificate brings.
    package var topicDisallowed = Reason.topicDisallowed
    /// Row 17: refuses a body that is not JSON with `PayloadEmpty` instead of accepting it for the device to drop.
    package var refusesMalformedJSON = false
    /// Row 18: whether a faulty certificate ends the connection or each of its requests.
    package var certificateFault = CertificateFaultAnswer.goAway
    /// Row 19: whether a refusal takes the connection back to one stream until the next acceptance.
    package var dropsStreamsAfterRefusal = false
    /// Row 21: `InvalidProviderToken` or `Forbidden` for a key that was revoked.
    package var revokedKey = Reason.invalidProviderToken
    /// Row 22: what a provider token from more than an hour ahead brings.
    package var futureProviderToken = Reason.invalidProviderToken
    /// Row 23: takes only device tokens of 32 bytes.
    package var requires32ByteDeviceTokens = false
    /// Row 24: sends `apns-unique-id` on refusals too.
    package var sendsUniqueIDOnRefusals = false
    /// Row 26: whether a connection that has seen an expired provider token refuses all others after it.
    package var expiredProviderTokenSpoilsConnection = false
    /// Section 2.4: lets broadcasts through that have no expiration or no priority, which then are those of the channel's
    /// policy and 10. Readers of the documentation differ on whether the two are required.
    package var acceptsBroadcastsWithDefaults = false
    /// Row 34: looks at the method before the path.
    package var checksMethodFirst = false
    /// Row 36: lets MDM pushes through on a connection without a certificate.
    package var acceptsMDMWithProviderToken = false
    /// Row 37: whether a topic-specific key for a bundle id covers the suffixed topics of the same app.
    package var topicKeyCoversSuffixes = true
    /// Row 38: looks at the topic before the device token.
    package var checksTopicFirst = false

    package init() {}

    package enum UpdateScope: String, Hashable, Sendable, Codable {
        case connection, key
    }

    package enum CertificateFaultAnswer: String, Hashable, Sendable, Codable {
        case goAway, response
    }
}
