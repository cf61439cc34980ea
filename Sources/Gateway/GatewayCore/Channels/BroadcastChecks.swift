import APNSModel

/// The headers of a broadcast, and whether the channel accepts it (docs/reference/apns.md 2.4).
enum BroadcastChecks {
    static func expiration(
        _ request: inout Inspection, _ world: inout World, _ connection: inout GatewayConnection
    ) -> Objection? {
        guard request.head.expiration != nil || world.settings.contested.acceptsBroadcastsWithDefaults else {
            return Objection(
                .badExpirationDate,
                "there is no apns-expiration; a broadcast needs one, 0 for a channel that stores nothing")
        }
        return HeaderChecks.expiration(&request, &world, &connection)
    }

    static func priority(
        _ request: inout Inspection, _ world: inout World, _ connection: inout GatewayConnection
    ) -> Objection? {
        guard request.head.priority != nil || world.settings.contested.acceptsBroadcastsWithDefaults else {
            return Objection(
                .badPriority, "there is no apns-priority; a broadcast needs one, and no default is documented")
        }
        return HeaderChecks.priority(&request, &world, &connection)
    }

    /// Which host names accept broadcasts (docs/reference/apns.md 11, row 7).
    static func host(
        _ request: inout Inspection, _ world: inout World, _ connection: inout GatewayConnection
    ) -> Objection? {
        let wanted = world.settings.contested.broadcastHost
        guard wanted != .any else { return nil }
        let host = request.head.authority ?? ""
        guard host.hasPrefix("api-broadcast") != (wanted == .broadcast) else { return nil }
        return Objection(
            .badPath,
            "the gateway is set to accept broadcasts at hosts that "
                + (wanted == .broadcast ? "begin" : "do not begin")
                + " with api-broadcast; this is \(PeerText.quoted(host))"
        )
    }

    /// Checked only if the setting for docs/reference/apns.md 11, row 9 asks for it.
    static func topic(
        _ request: inout Inspection, _ world: inout World, _ connection: inout GatewayConnection
    ) -> Objection? {
        guard world.settings.contested.checksBroadcastTopic, let text = request.head.topic,
            let app = request.channel?.app
        else { return nil }
        let own = [app.value, app.topic(for: .liveactivity).value]
        guard !own.contains(text) else { return nil }
        return Objection(
            .topicDisallowed,
            "apns-topic is \(PeerText.quoted(text)), and the path is for \(PeerText.quoted(app.value)); leave apns-topic out"
        )
    }

    /// In upper or lower case, because Apple's page prints both (docs/reference/apns.md 11, row 29), unless the
    /// settings ask for the exact form.
    static func pushType(
        _ request: inout Inspection, _ world: inout World, _ connection: inout GatewayConnection
    ) -> Objection? {
        guard let text = request.head.pushType, !text.isEmpty else {
            return Objection(.missingPushType, "there is no apns-push-type; a broadcast has liveactivity")
        }
        let isExact = world.settings.contested.pushTypeCase == .exact
        guard (isExact ? text : text.lowercased()) == PushType.liveactivity.rawValue else {
            return Objection(
                .invalidPushType,
                "apns-push-type is \(PeerText.quoted(text)); a broadcast has liveactivity and no other")
        }
        request.pushType = .liveactivity
        return nil
    }

    static func storage(
        _ request: inout Inspection, _ world: inout World, _ connection: inout GatewayConnection
    ) -> Objection? {
        guard let id = request.channel?.id, world.channels[id]?.storagePolicy == .nothing,
            let expiration = request.expiration, expiration != .once
        else { return nil }
        return Objection(
            .badExpirationDate,
            "apns-expiration is \(expiration.secondsSince1970), but the channel stores nothing, so it takes 0 alone; a "
                + "channel with \"message-storage-policy\":1 stores the most recent message")
    }

    static func rate(
        _ request: inout Inspection, _ world: inout World, _ connection: inout GatewayConnection
    ) -> Objection? {
        guard let rate = world.settings.channelRate, let id = request.channel?.id else { return nil }
        guard world.channels[id]?.rate.counts(against: rate, at: request.now) == false else { return nil }
        return Objection(
            .tooManyRequests,
            "the channel got \(rate.count) broadcasts within \(Period.text(rate.period / 1000)), which is its limit; wait "
                + "before the next one")
    }
}
