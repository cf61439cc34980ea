import APNSModel

/// The ordered checks of docs/reference/apns.md 3.5. The first check that objects decides; only one reason is returned.
///
/// The evidence is for the place in the order, not for the reason.
enum Checks {
    static let table: [Check] = [
        Check(
            0, "availability", [.shutdown, .serviceUnavailable, .internalServerError, .idleTimeout], .inferred,
            CredentialChecks.availability),
        Check(
            0, "certificate", [.badCertificate, .badCertificateEnvironment], .observed, CredentialChecks.certificate),

        Check(1, path, [.badPath], .inferred, HeaderChecks.path),
        Check(2, method, [.methodNotAllowed], .observed, HeaderChecks.method),
        Check(3, "headers-once", [.duplicateHeaders], .inferred, HeaderChecks.once),

        Check(
            4, "provider-token-present", [.missingProviderToken], .observed, CredentialChecks.present),
        Check(5, "provider-token-form", [.invalidProviderToken], .observed, CredentialChecks.form),
        Check(5, "provider-token-key", [.invalidProviderToken, .forbidden], .observed, CredentialChecks.key),
        Check(5, "provider-token-signature", [.invalidProviderToken], .observed, CredentialChecks.signature),
        Check(5, "provider-token-team", [.invalidProviderToken], .clients, CredentialChecks.team),
        Check(5, "connection-team", [.invalidProviderToken, .forbidden], .observed, CredentialChecks.connectionTeam),
        Check(6, "key-environment", [.badEnvironmentKeyInToken], .inferred, CredentialChecks.keyEnvironment),
        Check(6, "connection-key", [.unrelatedKeyIDInToken], .inferred, CredentialChecks.connectionKey),
        Check(
            7, "provider-token-age", [.expiredProviderToken, .invalidProviderToken, .tooManyProviderTokenUpdates],
            .inferred, CredentialChecks.age),
        Check(7, "provider-token-updates", [.tooManyProviderTokenUpdates], .inferred, CredentialChecks.updates),

        Check(8, "device-token-present", [.missingDeviceToken], .observed, DeviceChecks.present),
        Check(9, "apns-id", [.badMessageID], .inferred, HeaderChecks.id),
        Check(9, "expiration", [.badExpirationDate], .inferred, HeaderChecks.expiration),
        Check(9, "priority", [.badPriority], .inferred, HeaderChecks.priority),
        Check(9, "background-priority", [.badPriority], .inferred, PayloadChecks.backgroundPriority),
        Check(9, "collapse-id", [.badCollapseID], .inferred, HeaderChecks.collapseID),
        Check(10, "topic-present", [.missingTopic], .inferred, HeaderChecks.topicPresent),
        Check(10, "topic-form", [.badTopic], .inferred, HeaderChecks.topicForm),
        Check(11, "push-type-known", [.invalidPushType], .inferred, HeaderChecks.pushTypeKnown),
        Check(12, "payload-empty", [.payloadEmpty], .inferred, PayloadChecks.empty),
        Check(12, "payload-too-large", [.payloadTooLarge], .inferred, PayloadChecks.tooLarge),
        Check(12, "payload-json", [.payloadEmpty], .inferred, PayloadChecks.json),

        Check(13, "device-token-form", [.badDeviceToken], .observed, DeviceChecks.form),
        Check(13, "device-token-known", [.badDeviceToken], .observed, DeviceChecks.known),
        Check(13, "device-capacity", [.serviceUnavailable], .inferred, DeviceChecks.capacity),
        Check(14, topicAllowed, [.topicDisallowed, .invalidProviderToken], .observed, TopicChecks.allowed),
        Check(15, "push-type-for-topic", [.invalidPushType], .inferred, TopicChecks.pushType),
        Check(16, "device-token-for-topic", [.deviceTokenNotForTopic], .observed, TopicChecks.deviceToken),
        Check(17, "device-token-expired", [.expiredToken], .inferred, DeviceChecks.expired),
        Check(17, "device-token-registered", [.unregistered], .inferred, DeviceChecks.registered),
        Check(18, "device-rate", [.tooManyRequests], .inferred, DeviceChecks.rate),
    ]

    private static let path = "path"
    private static let method = "method"
    private static let topicAllowed = "topic-allowed"

    /// The checks in the order that the settings for docs/reference/apns.md 11, rows 16, 34 and 38 ask for.
    static func ordered(by contested: ContestedSettings) -> [Check] {
        var rows = table
        if contested.checksMethodFirst { rows.move(method, before: path) }
        if contested.checksTopicFirst { rows.move(topicAllowed, before: "device-token-form") }
        if contested.checksHeadersFirst {
            let credentials = rows.filter { (4...7).contains($0.step) }
            rows.removeAll { (4...7).contains($0.step) }
            rows.insert(contentsOf: credentials, at: rows.firstIndex { $0.step > 11 } ?? rows.endIndex)
        }
        return rows
    }
}

extension [Check] {
    fileprivate mutating func move(_ id: String, before other: String) {
        guard let from = firstIndex(where: { $0.id == id }), let to = firstIndex(where: { $0.id == other }) else {
            return
        }
        insert(remove(at: from), at: to)
    }
}
