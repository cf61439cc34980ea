import APNSModel

extension BroadcastChannel {
    /// The form that a store keeps, without the payload of the stored message. The devices have the subscriptions.
    package struct Document: Hashable, Sendable, Codable {
        var id: ChannelID
        var app: String
        var environment: APNSEnvironment
        var storagePolicy: StoragePolicy
        var createdAt: Int64
        var ordinal: UInt64
        var rate: RateCount
        var stored: Message?
    }

    /// The message that the channel stores.
    package struct Message: Hashable, Sendable, Codable {
        var sequence: UInt64
        var uniqueID: UniqueID
        var requestID: String
        var topic: Topic
        var pushType: PushType
        var priority: Priority
        var expiration: Expiration
        var expiresAt: Int64
    }

    package var document: Document {
        Document(
            id: id, app: app, environment: environment, storagePolicy: storagePolicy, createdAt: createdAt,
            ordinal: ordinal, rate: rate,
            stored: stored.map {
                Message(
                    sequence: $0.broadcast.sequence, uniqueID: $0.broadcast.id,
                    requestID: $0.broadcast.requestID, topic: $0.broadcast.topic, pushType: $0.broadcast.pushType,
                    priority: $0.broadcast.priority, expiration: $0.broadcast.expiration, expiresAt: $0.expiresAt)
            })
    }

    /// A channel from a store, without its subscribers.
    package init(_ document: Document, payload: [UInt8]) {
        self.init(
            id: document.id, app: document.app, environment: document.environment,
            storagePolicy: document.storagePolicy, createdAt: document.createdAt, ordinal: document.ordinal)
        rate = document.rate
        stored = document.stored.map {
            StoredBroadcast(
                broadcast: Broadcast(
                    sequence: $0.sequence, id: $0.uniqueID, requestID: $0.requestID, channelID: document.id,
                    environment: document.environment, topic: $0.topic, pushType: $0.pushType, priority: $0.priority,
                    expiration: $0.expiration, payload: payload),
                expiresAt: $0.expiresAt)
        }
    }
}
