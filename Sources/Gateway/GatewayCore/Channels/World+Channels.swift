package import APNSModel

/// The answer to a request about channels, without its status.
struct ChannelAnswer {
    /// The id of the channel that was created.
    var channelID: ChannelID?
    var body: [UInt8] = []
}

extension World {
    /// The channels of an environment in the order in which they were created.
    ///
    /// - Parameters:
    ///   - app: Only those of the app with this bundle id; nil for all.
    ///   - ordinal: Only channels created after the one with this ordinal; nil for all.
    package func channels(
        in environment: APNSEnvironment, of app: String? = nil, after ordinal: UInt64? = nil, limit: Int
    ) -> (total: Int, channels: [BroadcastChannel]) {
        (
            channels.count(in: environment, of: app),
            channels.channels(in: environment, of: app, after: ordinal, limit: max(0, limit))
        )
    }

    /// Subscribes the device to these channels and to no others.
    ///
    /// It gets the stored message of each channel that it did not subscribe to before.
    ///
    /// - Returns: Nil if there is no such device.
    /// - Throws: Why it cannot subscribe; then nothing changes.
    package mutating func subscribe(
        _ token: DeviceToken, in environment: APNSEnvironment, to channelIDs: [String], real: Int64
    ) throws(RegistrationError) -> (device: Device, events: [DeliveryEvent])? {
        let wanted = try channelsFor(token, in: environment, channelIDs)
        guard let slot = self[environment].slot(of: token) else { return nil }
        let known = self[environment][slot].channels
        for id in known where !wanted.contains(id) { channels[id]?.unsubscribe(slot) }
        var stored: [StoredBroadcast] = []
        for id in wanted where !known.contains(id) {
            channels[id]?.subscribe(slot)
            if let message = channels[id]?.stored { stored.append(message) }
        }
        let deliveries = stored.sorted { $0.broadcast.sequence < $1.broadcast.sequence }.map { message in
            (message, message.broadcast.delivery(to: token, copies: 1, sharers: sharers(of: message)))
        }
        return modify(token, in: environment, real: real) { device, now, rules, events in
            device.channels = wanted
            device.dropWaiting(ofChannelsBut: wanted, at: now, into: &events)
            for (message, delivery) in deliveries
            where message.expiresAt > now && !device.knows(message.broadcast) {
                device.take(delivery, until: message.expiresAt, at: now, rules, into: &events)
            }
        }
    }

    /// Checks whether the device may subscribe to these channels.
    ///
    /// - Returns: The ids, each once; none for a device that does not exist.
    package func channelsFor(
        _ token: DeviceToken, in environment: APNSEnvironment, _ channelIDs: [String]
    ) throws(RegistrationError) -> [ChannelID] {
        guard let device = device(token, in: environment) else { return [] }
        guard channelIDs.count <= settings.maximumSubscriptions else {
            throw .incomplete(
                "a device subscribes to at most \(settings.maximumSubscriptions) channels, not \(channelIDs.count)")
        }
        guard channelIDs.isEmpty || device.isInstalled else {
            throw .incomplete("the app is uninstalled; register the device again before it subscribes to channels")
        }
        guard channelIDs.isEmpty || device.kind.subscribes else {
            throw .incomplete(
                "a device token of the kind \(device.kind.rawValue) does not subscribe to channels; those of the kinds "
                    + "app and liveactivity do")
        }
        let app = device.topic.bundleID
        var ids: [ChannelID] = []
        for text in channelIDs {
            guard let id = ChannelID(text), channels.channel(id, of: app, in: environment) != nil else {
                throw .noChannel(text, app: app)
            }
            if !ids.contains(id) { ids.append(id) }
        }
        return ids
    }

    /// The app has lost the capability, so its channels are deleted.
    mutating func removeChannels(of app: String) {
        for environment in APNSEnvironment.allCases {
            for id in channels.ids(of: app, in: environment) { delete(id) }
        }
    }

    private func sharers(of message: StoredBroadcast) -> Int {
        max(1, channels[message.broadcast.channelID]?.subscriberCount ?? 1)
    }

    /// An uninstalled app subscribes to nothing.
    mutating func endSubscriptions(of token: DeviceToken, in environment: APNSEnvironment) {
        guard let slot = self[environment].slot(of: token) else { return }
        for id in self[environment][slot].channels { channels[id]?.unsubscribe(slot) }
        self[environment][slot].channels = []
    }

    /// Messages that are stored for devices stay: they may still be delivered (docs/reference/apns.md 7.4).
    private mutating func delete(_ id: ChannelID) {
        guard let channel = channels.delete(id) else { return }
        for slot in channel.subscribers { self[channel.environment][slot].channels.removeAll { $0 == id } }
    }
}

/// Requests about channels.
extension World {
    /// The first objection to a request about channels.
    mutating func channelObjection(
        to request: inout Inspection, _ channel: ChannelInspection, on connection: inout GatewayConnection
    ) -> (Objection?, rule: String) {
        for check in channel.checks {
            guard let objection = check.body(&request, &self, &connection) else { continue }
            guard objection.reason == .serviceUnavailable, settings.contested.spellsServiceUnavailableApart else {
                return (objection, check.id)
            }
            return (Objection(Reason("Service Unavailable", 503), objection.why), check.id)
        }
        return (nil, Verdict.acceptedRule)
    }

    /// Does what an accepted request asks for.
    mutating func perform(_ request: inout Inspection, in environment: APNSEnvironment) -> ChannelAnswer? {
        guard let channel = request.channel, let app = channel.app?.value else { return nil }
        switch channel.kind {
        case .notification, .broadcast, .unknownChannelRequest: return nil
        case .createChannel:
            guard let policy = channel.storagePolicy else { return nil }
            let isASCII = settings.contested.makesASCIIChannelIDs
            var id = ChannelID(using: &generator, isASCII: isASCII)
            while channels[id] != nil { id = ChannelID(using: &generator, isASCII: isASCII) }
            channels.create(id, app: app, in: environment, policy, at: request.now)
            request.channel?.id = id
            return ChannelAnswer(channelID: id)
        case .readChannel:
            guard let policy = channel.id.flatMap({ channels[$0]?.storagePolicy }) else { return nil }
            let text = #"{"message-storage-policy":\#(policy.rawValue),"push-type":"\#(BroadcastChannel.pushType)"}"#
            return ChannelAnswer(body: Array(text.utf8))
        case .listChannels:
            // Base64 has no character that JSON escapes.
            let ids = channels.ids(of: app, in: environment).map { "\"\($0.base64)\"" }
            return ChannelAnswer(body: Array(#"{"channels":[\#(ids.joined(separator: ","))]}"#.utf8))
        case .deleteChannel:
            if let id = channel.id { delete(id) }
            return ChannelAnswer()
        }
    }

    /// Delivers, stores or holds an accepted broadcast for every device that subscribes to its channel.
    mutating func broadcast(
        _ request: borrowing Inspection, _ effect: FaultEffect?, sequence: UInt64, id: UniqueID, requestID: String
    ) -> [DeliveryEvent] {
        guard let channelID = request.channel?.id, let channel = channels[channelID], let app = request.channel?.app
        else { return [] }
        let now = request.now
        let message = Broadcast(
            sequence: sequence, id: id, requestID: requestID, channelID: channelID,
            environment: channel.environment, topic: app.topic(for: .liveactivity), pushType: .liveactivity,
            priority: request.priority,
            expiration: request.expiration ?? channel.storagePolicy.defaultExpiration(at: now),
            payload: request.body)
        let expiry = channel.storagePolicy == .nothing ? now : message.storageEnds(receivedAt: now)
        store(message, until: expiry, in: channel, at: now)
        var events: [DeliveryEvent] = []
        for slot in channel.subscribers {
            let delivery = message.delivery(
                to: self[channel.environment][slot].token, copies: effect?.copies ?? 1, sharers: channel.subscriberCount
            )
            if let effect, !interfere(effect, delivery, slot: slot, at: now, into: &events) { continue }
            self[channel.environment][slot].take(delivery, until: expiry, at: now, deliveryRules, into: &events)
            setWakeUp(slot, in: channel.environment)
        }
        return events
    }

    /// Stores a broadcast in its channel if policy and expiration allow it, and journals that.
    private mutating func store(_ message: Broadcast, until expiry: Int64, in channel: BroadcastChannel, at now: Int64)
    {
        func add(_ stage: LifeEntry.Stage, _ why: String, to sequence: UInt64) {
            journal.add(LifeEntry(stage: stage, at: now, why: why), to: sequence)
        }
        if expiry > now {
            if let older = channel.stored?.broadcast {
                add(
                    .replaced, "the channel stores \(message.id) instead: only the most recent message is kept",
                    to: older.sequence)
            }
            channels[channel.id]?.stored = StoredBroadcast(broadcast: message, expiresAt: expiry)
            nextChannelExpiry = min(nextChannelExpiry, expiry)
            add(.stored, "the channel stores it for devices that connect later", to: message.sequence)
        } else if channel.subscriberCount == 0 {
            add(.dropped, "no device subscribes to the channel, and it is not stored", to: message.sequence)
        }
    }

    /// Removes the messages of channels whose storage time is over.
    ///
    /// - Returns: When the next message expires.
    mutating func expireChannels(at now: Int64) -> Int64 {
        let (expired, next) = channels.expire(at: now)
        for message in expired {
            journal.add(
                LifeEntry(stage: .expired, at: now, why: "the channel stores it no longer: its storage time is over"),
                to: message.sequence)
        }
        return next
    }
}

extension BroadcastChannel.StoragePolicy {
    /// The expiration of a broadcast without one, which only `acceptsBroadcastsWithDefaults` accepts.
    fileprivate func defaultExpiration(at now: Int64) -> Expiration {
        switch self {
        case .nothing: .once
        case .mostRecent: Expiration(secondsSince1970: (now + BroadcastChannel.maximumStorage) / 1000) ?? .once
        }
    }
}

extension DeviceKind {
    /// Whether device tokens of this kind subscribe to channels.
    fileprivate var subscribes: Bool {
        switch self {
        case .app, .liveactivity, .startLiveActivity: true
        case .voip, .complication, .fileprovider, .location, .pushtotalk, .widgets, .controls: false
        }
    }
}

extension Device {
    /// Whether the device has received a broadcast, or it is stored or held for it.
    fileprivate func knows(_ broadcast: Broadcast) -> Bool {
        history.contains { $0.sequence == broadcast.sequence }
            || waiting.contains { $0.delivery.sequence == broadcast.sequence }
    }
}
