import APNSModel

/// What broadcasts and the management of channels have in common: path, app, ids and the channel itself.
enum ChannelChecks {
    static func path(
        _ request: inout Inspection, _ world: inout World, _ connection: inout GatewayConnection
    ) -> Objection? {
        guard request.channel?.route == nil else { return nil }
        return Objection(
            .badPath,
            "the path \(PeerText.quoted(request.head.path)) is not known at the port for channels; it takes "
                + "/1/apps/BUNDLE-ID/channels and /1/apps/BUNDLE-ID/all-channels")
    }

    static func method(
        _ request: inout Inspection, _ world: inout World, _ connection: inout GatewayConnection
    ) -> Objection? {
        guard let route = request.channel?.route, !route.methods.contains(request.head.method) else { return nil }
        return Objection(
            .methodNotAllowed,
            "the method is \(PeerText.quoted(request.head.method)); this path takes \(route.methods.joined(separator: ", "))"
        )
    }

    static func appForm(
        _ request: inout Inspection, _ world: inout World, _ connection: inout GatewayConnection
    ) -> Objection? {
        guard let route = request.channel?.route else { return nil }
        request.channel?.app = Topic(route.bundleID)
        guard request.channel?.app == nil else { return nil }
        return Objection(
            .badPath,
            "the bundle id in the path is \(PeerText.quoted(route.bundleID)); a bundle id has 1 to 255 ASCII letters, "
                + "digits, dots, hyphens and underscores")
    }

    static func appSuffix(
        _ request: inout Inspection, _ world: inout World, _ connection: inout GatewayConnection
    ) -> Objection? {
        guard let app = request.channel?.app, !app.suffix.isEmpty else { return nil }
        return Objection(
            .topicDisallowed,
            "the path names \(PeerText.quoted(app.value)); it takes the bundle id \(PeerText.quoted(app.bundleID)) without "
                + "\(app.suffix)")
    }

    static func appCredentials(
        _ request: inout Inspection, _ world: inout World, _ connection: inout GatewayConnection
    ) -> Objection? {
        guard let app = request.channel?.app else { return nil }
        let why: String?
        if connection.certificate != nil {
            let own = connection.certificateTopics
            why =
                own.contains(app.value)
                ? nil
                : "the certificate is for \(own.map { PeerText.quoted($0) }.joined(separator: ", ")), not for "
                    + PeerText.quoted(app.value)
        } else {
            why = request.token.flatMap { objection(of: $0, to: app, world, connection) }
        }
        return why.map { Objection(.topicMismatch, $0) }
    }

    private static func objection(
        of token: VerifiedToken, to app: Topic, _ world: World, _ connection: GatewayConnection
    ) -> String? {
        guard let key = world.key(of: token) else { return nil }
        guard let known = world.apps[app.value] else {
            return "no app with the bundle id \(PeerText.quoted(app.value)) is registered; register it, or check its "
                + "spelling"
        }
        guard known.teamID == token.teamID else {
            return
                "the app \(PeerText.quoted(app.value)) belongs to the team \(PeerText.quoted(known.teamID)), the provider "
                + "token to \(PeerText.quoted(token.teamID))"
        }
        if let binding = connection.binding, known.revision > binding.appsRevision {
            return
                "the app \(PeerText.quoted(app.value)) was registered after the first request on this connection, which "
                + "fixed its topics; open another connection"
        }
        let topics = [ParsedTopic(app), ParsedTopic(app.topic(for: .liveactivity))]
        let coversSuffixes = world.settings.contested.topicKeyCoversSuffixes
        guard topics.contains(where: { key.covers($0, coversSuffixes: coversSuffixes) }) else {
            return
                "the key \(PeerText.quoted(key.keyID)) is for certain topics, and \(PeerText.quoted(app.value)) is not one of "
                + "them"
        }
        return nil
    }

    /// Nothing is known about an app that is not registered. Only a certificate or `acceptsAnyKey` lets it get this far.
    static func appCapability(
        _ request: inout Inspection, _ world: inout World, _ connection: inout GatewayConnection
    ) -> Objection? {
        guard let app = request.channel?.app, let known = world.apps[app.value],
            !known.capabilities.contains(RegisteredApp.broadcastCapability)
        else { return nil }
        return Objection(
            .featureNotEnabled,
            "the app \(PeerText.quoted(app.value)) lacks the capability \"broadcast\"; register it again with "
                + "\"capabilities\":[\"push\",\"broadcast\"]")
    }

    static func requestID(
        _ request: inout Inspection, _ world: inout World, _ connection: inout GatewayConnection
    ) -> Objection? {
        guard let text = request.givenID else { return nil }
        request.id = NotificationID(checking: text)
        guard request.id == nil else { return nil }
        return Objection(
            .badMessageID,
            "\(request.head.requestID == nil ? "apns-id" : "apns-request-id") is \(PeerText.quoted(text)); it has to be a "
                + "UUID of the form 8-4-4-4-12 hex digits")
    }

    /// A request that reads or deletes has no body; if it has one, the body is ignored.
    static func bodyPresent(
        _ request: inout Inspection, _ world: inout World, _ connection: inout GatewayConnection
    ) -> Objection? {
        guard request.hasChannelBody, request.body.isEmpty, request.omittedBytes == 0 else { return nil }
        return Objection(
            .payloadEmpty,
            request.kind == .broadcast
                ? "the payload is empty; a broadcast is a Live Activity update or end"
                : "there is no body; send {\"message-storage-policy\":0,\"push-type\":\"LiveActivity\"}")
    }

    static func bodySize(
        _ request: inout Inspection, _ world: inout World, _ connection: inout GatewayConnection
    ) -> Objection? {
        let bytes = request.body.count + request.omittedBytes
        guard request.hasChannelBody, bytes > BroadcastChannel.maximumBodyBytes else { return nil }
        return Objection(
            .payloadTooLarge,
            "the body has \(bytes) bytes, \(bytes - BroadcastChannel.maximumBodyBytes) more than the \(BroadcastChannel.maximumBodyBytes) "
                + "that a request for channels may have")
    }

    static func idPresent(
        _ request: inout Inspection, _ world: inout World, _ connection: inout GatewayConnection
    ) -> Objection? {
        guard request.namesChannel, request.head.channelID == nil else { return nil }
        return Objection(
            .missingChannelID, "there is no apns-channel-id; it names the channel, in a header and not in the path")
    }

    static func idForm(
        _ request: inout Inspection, _ world: inout World, _ connection: inout GatewayConnection
    ) -> Objection? {
        guard request.namesChannel, let text = request.head.channelID else { return nil }
        let length = text.utf8.count
        request.channel?.id = length > BroadcastChannel.maximumIDLength ? nil : ChannelID(text)
        guard request.channel?.id == nil else { return nil }
        return Objection(
            .badChannelID,
            length > BroadcastChannel.maximumIDLength
                ? "apns-channel-id has \(length) characters; the limit is \(BroadcastChannel.maximumIDLength)"
                : "apns-channel-id is \(PeerText.quoted(text)), which is not base64; send the id as it came when the channel "
                    + "was created")
    }

    static func registered(
        _ request: inout Inspection, _ world: inout World, _ connection: inout GatewayConnection
    ) -> Objection? {
        guard let channel = request.channel, let id = channel.id, let app = channel.app else { return nil }
        guard world.channels.channel(id, of: app.value, in: connection.environment) == nil else { return nil }
        let elsewhere: String
        switch world.channels[id] {
        case nil: elsewhere = "; it was never created, or it was deleted"
        case let other? where other.app != app.value: elsewhere = "; it belongs to \(PeerText.quoted(other.app))"
        case let other?: elsewhere = "; it belongs to \(other.environment.rawValue)"
        }
        return Objection(
            .channelNotRegistered,
            "there is no channel \(PeerText.quoted(id.base64)) of \(PeerText.quoted(app.value)) in "
                + connection.environment.rawValue + elsewhere)
    }

    static func limit(
        _ request: inout Inspection, _ world: inout World, _ connection: inout GatewayConnection
    ) -> Objection? {
        guard request.kind == .createChannel, let app = request.channel?.app else { return nil }
        let maximum = world.settings.maximumChannelsOfApp
        guard world.channels.ids(of: app.value, in: connection.environment).count >= maximum else { return nil }
        return Objection(
            .cannotCreateChannelConfig,
            "the app \(PeerText.quoted(app.value)) has \(maximum) channels in \(connection.environment.rawValue), which is the "
                + "limit; delete some")
    }

    static func capacity(
        _ request: inout Inspection, _ world: inout World, _ connection: inout GatewayConnection
    ) -> Objection? {
        let maximum = world.settings.maximumChannels
        guard request.kind == .createChannel else { return nil }
        guard !world.isMemoryFull else {
            return Objection(.serviceUnavailable, RegistrationError.memoryFull.description)
        }
        guard world.channels.count >= maximum else { return nil }
        return Objection(
            .serviceUnavailable, "the gateway holds \(maximum) channels of all apps, which is its limit; delete some")
    }
}

extension Inspection {
    fileprivate var hasChannelBody: Bool { kind == .broadcast || kind == .createChannel }

    fileprivate var namesChannel: Bool { kind == .broadcast || kind == .readChannel || kind == .deleteChannel }
}
