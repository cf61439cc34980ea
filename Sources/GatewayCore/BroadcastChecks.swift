import APNSModel

/// The headers of a broadcast, and whether the channel takes it (apns-protocol.md 2.4).
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

    /// In any case of letters, because Apple's page prints two (section 11, row 29).
    static func pushType(
        _ request: inout Inspection, _ world: inout World, _ connection: inout GatewayConnection
    ) -> Objection? {
        guard let text = request.head.pushType, !text.isEmpty else {
            return Objection(.missingPushType, "there is no apns-push-type; a broadcast has liveactivity")
        }
        guard text.lowercased() == PushType.liveactivity.rawValue else {
            return Objection(
                .invalidPushType, "apns-push-type is \(Shown.text(text)); a broadcast has liveactivity and no other")
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
