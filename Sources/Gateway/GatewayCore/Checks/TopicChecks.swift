import APNSModel

/// Whether credentials, push type and device token go together with the topic: steps 14 to 16 of docs/reference/apns.md
/// 3.5.
enum TopicChecks {
    static func allowed(
        _ request: inout Inspection, _ world: inout World, _ connection: inout GatewayConnection
    ) -> Objection? {
        guard let topic = request.topic else { return nil }
        let why: String?
        if let certificate = connection.certificate {
            why = objection(
                of: certificate, with: connection.certificateTopics, to: topic, pushType: request.pushType,
                world.settings.contested)
        } else if let token = request.token {
            if connection.allowedRevision == world.revision, request.pushType != .mdm { return nil }
            why = objection(of: token, to: topic, pushType: request.pushType, world, connection)
        } else {
            why = connection.role == .control ? objectionToUnknownApp(topic, world) : nil
        }
        if why == nil { connection.allowedRevision = world.revision }
        return why.map { Objection(world.settings.contested.topicDisallowed.reason, $0) }
    }

    private static func objection(
        of certificate: ClientCertificate, with topics: [String], to topic: ParsedTopic, pushType: PushType?,
        _ contested: ContestedSettings
    ) -> String? {
        guard topics.contains(topic.text) else {
            let own = topics.map { PeerText.quoted($0) }.joined(separator: ", ")
            return "the certificate is for \(own), not for \(PeerText.quoted(topic.text))"
        }
        if pushType == .mdm, !certificate.isForMDM {
            return "mdm pushes go over the certificate of an MDM server, whose UID begins with com.apple.mgmt.External"
        }
        switch topic.suffix {
        case DeviceKind.location.topicSuffix, DeviceKind.fileprovider.topicSuffix:
            return "topics ending with \(topic.suffix) take a provider token only, no certificate"
        case DeviceKind.liveactivity.topicSuffix where !contested.acceptsLiveActivityCertificates:
            return "Live Activities take a provider token only, no certificate"
        default: return nil
        }
    }

    private static func objection(
        of token: VerifiedToken, to topic: ParsedTopic, pushType: PushType?, _ world: World,
        _ connection: GatewayConnection
    ) -> String? {
        let contested = world.settings.contested
        if pushType == .mdm, !contested.acceptsMDMWithProviderToken {
            return "mdm pushes go over a connection with the MDM certificate, not with a provider token"
        }
        guard let key = world.key(of: token) else { return nil }
        guard let app = world.apps[topic.bundleID] else { return unknownApp(topic) }
        guard app.teamID == token.teamID else {
            return "the app \(PeerText.quoted(app.topic)) belongs to the team \(PeerText.quoted(app.teamID)), "
                + "the provider token to \(PeerText.quoted(token.teamID))"
        }
        guard app.capabilities.contains("push") else {
            return "the app \(PeerText.quoted(app.topic)) lacks the push capability"
        }
        if let binding = connection.binding, app.revision > binding.appsRevision {
            return
                "the app \(PeerText.quoted(app.topic)) was registered after the first notification on this connection, "
                + "which fixed its topics; open another connection"
        }
        guard key.covers(topic, coversSuffixes: contested.topicKeyCoversSuffixes) else {
            return
                "the key \(PeerText.quoted(key.keyID)) is for certain topics, and \(PeerText.quoted(topic.text)) is not one of them"
        }
        return nil
    }

    /// The control API names no team, so the only condition is that the app is known.
    private static func objectionToUnknownApp(_ topic: ParsedTopic, _ world: World) -> String? {
        world.settings.acceptsAnyKey || world.apps[topic.bundleID] != nil ? nil : unknownApp(topic)
    }

    private static func unknownApp(_ topic: ParsedTopic) -> String {
        "no app with the bundle id \(PeerText.quoted(topic.bundleID)) is registered; register it, "
            + "or check the spelling of the topic and of its suffix"
    }

    /// A topic with a suffix accepts only the push types of that suffix. A push type that needs a suffix which the topic lacks
    /// is refused here only if the device token fits the topic; with a device token of its kind the refusal is
    /// `DeviceTokenNotForTopic` (docs/reference/apns.md 2.3, "Mismatches").
    static func pushType(
        _ request: inout Inspection, _ world: inout World, _ connection: inout GatewayConnection
    ) -> Objection? {
        guard let topic = request.topic, let pushType = request.pushType, let wanted = pushType.topicSuffix,
            wanted != topic.suffix
        else { return nil }
        if topic.suffix.isEmpty, let slot = request.slot {
            guard world.tables.topic(of: slot, in: connection.environment) == topic.topic else { return nil }
        }
        let right = topic.topic.topic(for: pushType)
        return Objection(
            .invalidPushType,
            "apns-push-type \(pushType.rawValue) does not go with the topic \(PeerText.quoted(topic.text)); "
                + "its topic would be \(PeerText.quoted(right.value))")
    }

    static func deviceToken(
        _ request: inout Inspection, _ world: inout World, _ connection: inout GatewayConnection
    ) -> Objection? {
        guard let topic = request.topic, let slot = request.slot else { return nil }
        let own = world.tables.topic(of: slot, in: connection.environment)
        guard own != topic.topic else { return nil }
        return Objection(
            .deviceTokenNotForTopic,
            "the device token belongs to the topic \(PeerText.quoted(own.value)), not to \(PeerText.quoted(topic.text))"
        )
    }
}
