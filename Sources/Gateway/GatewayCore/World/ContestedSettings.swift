package import APNSModel

/// How the gateway answers the questions about APNs that are not settled. Each is a row of docs/reference/apns.md section 11,
/// with the default given there; `ContestedSetting.all` has their names.
///
/// No field holds a reference: every request copies them, and each reference would be counted.
package struct ContestedSettings: Hashable, Sendable, Codable {
    /// Row 1: the documented `BadEnvironmentKeyIdInToken` instead of the `BadEnvironmentKeyInToken` seen on the wire.
    package var usesDocumentedEnvironmentReason = false
    /// Row 2: error bodies with spaces and a `content-type`, as one example of Apple's prints them.
    package var usesDocumentedErrorBody = false
    /// Row 3: generates an `apns-id` in lower case, as the documentation prints it.
    package var makesLowercaseIDs = false
    /// Row 4: refuses an upper-case `apns-id` with `BadMessageId`.
    package var refusesUppercaseID = false
    /// Row 5: accepts only the strict form of a provider token (base64url without padding, raw signature, `iat` a number).
    package var requiresStrictProviderTokens = false
    /// Row 6: whether "once in 20 minutes" is counted for each connection or each key.
    package var updateScope = UpdateScope.connection
    /// Row 7: the host names, as in `:authority`, that accept broadcasts.
    package var broadcastHost = BroadcastHost.any
    /// Row 8: answers a broadcast with `apns-id` instead of `apns-request-id`.
    package var answersBroadcastsWithNotificationID = false
    /// Row 9: refuses a broadcast whose `apns-topic` is not that of its app with `TopicDisallowed`.
    package var checksBroadcastTopic = false
    /// Row 11: accepts background pushes with priority 10.
    package var acceptsBackgroundAtPriority10 = false
    /// Row 12: the older status 400 for `ExpiredToken`.
    package var expiredTokenStatus = 410
    /// Row 13: `Service Unavailable` with a space in answers about channels.
    package var spellsServiceUnavailableApart = false
    /// Row 14: whether a certificate may list Live Activity topics.
    package var acceptsLiveActivityCertificates = true
    /// Row 15: the reason for a topic outside the team or the certificate.
    package var topicDisallowed = ContestedReason.topicDisallowed
    /// Row 16: checks that there is a device token, the headers, the topic and the push type before the provider token.
    package var checksHeadersFirst = false
    /// Row 17: refuses a body that is not JSON with `PayloadEmpty` instead of accepting it for the device to drop.
    package var refusesMalformedJSON = false
    /// Row 18: whether a faulty certificate ends the connection or refuses each request.
    package var certificateFault = FaultAnswer.goAway
    /// Row 19: whether a refusal sets the connection back to one stream until the next acceptance.
    package var dropsStreamsAfterRefusal = false
    /// Row 20: the reason for a provider token of a second team on one connection.
    package var secondTeam = ContestedReason.invalidProviderToken
    /// Row 21: `InvalidProviderToken` or `Forbidden` for a key that was revoked.
    package var revokedKey = ContestedReason.invalidProviderToken
    /// Row 22: the reason for a provider token that was issued more than an hour in the future.
    package var futureProviderToken = ContestedReason.invalidProviderToken
    /// Rows 23 and 40: accepts only device tokens of 32 bytes.
    package var requires32ByteDeviceTokens = false
    /// Row 24: sends `apns-unique-id` on refusals too.
    package var sendsUniqueIDOnRefusals = false
    /// Row 25: whether a connection that was idle for too long ends, or refuses the requests that follow.
    package var idleTimeout = FaultAnswer.goAway
    /// Row 26: whether a connection that has carried an expired provider token refuses every later request.
    package var expiredProviderTokenSpoilsConnection = false
    /// Row 29: which push types may be in upper or lower case.
    package var pushTypeCase = PushTypeCase.anyForBroadcasts
    /// Row 30: sends `retry-after` with 429 and 503.
    package var sendsRetryAfter = false
    /// Row 31: refuses a `sub` claim that is not among the topics of a topic-specific key with `InvalidProviderToken`.
    package var checksSubject = false
    /// Row 33: the reason for a storage policy that is absent or not valid.
    package var badStoragePolicy = ContestedReason.missingChannelQueueSize
    /// docs/reference/apns.md 2.4: accepts broadcasts without expiration or priority. The expiration is then that of
    /// the channel's policy, the priority 10. Readers of the documentation differ on whether the two are required.
    package var acceptsBroadcastsWithDefaults = false
    /// Row 34: checks the method before the path.
    package var checksMethodFirst = false
    /// Row 35: generates channel ids that decode to ASCII, as the sample in the documentation does.
    package var makesASCIIChannelIDs = false
    /// Row 36: accepts MDM pushes on a connection without a certificate.
    package var acceptsMDMWithProviderToken = false
    /// Row 37: whether a topic-specific key for a bundle id covers the suffixed topics of the same app.
    package var topicKeyCoversSuffixes = true
    /// Row 38: checks the topic before the device token.
    package var checksTopicFirst = false
    /// Row 39: whether a team-scoped key is for one environment alone.
    package var limitsTeamKeysToOneEnvironment = false
    /// Row 41: drops held background pushes when the system ends the app, as when the user force-quits it.
    package var dropsHeldAtTermination = false
    /// Row 42: accepts an empty `apns-collapse-id`, as if there were none.
    package var acceptsEmptyCollapseID = false

    package init() {}

    package enum UpdateScope: String, Hashable, Sendable, Codable {
        case connection, key
    }

    package enum FaultAnswer: String, Hashable, Sendable, Codable {
        case goAway, response
    }

    package enum BroadcastHost: String, Hashable, Sendable, Codable {
        case any
        /// Every host but those that begin with `api-broadcast`.
        case send
        /// Only hosts that begin with `api-broadcast`.
        case broadcast
    }

    package enum PushTypeCase: String, Hashable, Sendable, Codable {
        case anyForBroadcasts, exact, any
    }
}

/// A reason that one answer to a contested question gives.
package enum ContestedReason: String, Hashable, Sendable, Codable {
    case topicDisallowed, invalidProviderToken, forbidden, tooManyProviderTokenUpdates, missingChannelQueueSize,
        badRequestParams

    package var reason: Reason {
        switch self {
        case .topicDisallowed: .topicDisallowed
        case .invalidProviderToken: .invalidProviderToken
        case .forbidden: .forbidden
        case .tooManyProviderTokenUpdates: .tooManyProviderTokenUpdates
        case .missingChannelQueueSize: .missingChannelQueueSize
        case .badRequestParams: .badRequestParams
        }
    }
}
