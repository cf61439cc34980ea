package import APNSModel

/// An accepted message to a channel.
package struct Broadcast: Hashable, Sendable {
    /// The number of its journal entry.
    package let sequence: UInt64
    package let id: UniqueID
    /// The `apns-request-id`.
    package let requestID: String
    package let channelID: ChannelID
    package let environment: APNSEnvironment
    /// The topic of the app's Live Activities.
    package let topic: Topic
    package let pushType: PushType
    package let priority: Priority
    package let expiration: Expiration
    package let payload: [UInt8]

    /// The delivery for one of the devices.
    ///
    /// - Parameter sharers: How many devices get it, at least 1.
    func delivery(to token: DeviceToken, copies: Int, sharers: Int) -> Delivery {
        Delivery(
            sequence: sequence, id: id, apnsID: requestID, token: token, environment: environment,
            topic: topic, pushType: pushType, priority: priority, expiration: expiration, collapseID: nil,
            payload: payload, channelID: channelID, copies: copies, payloadSharers: sharers)
    }

    /// When storage ends, at most 8 hours after arrival; the time of arrival if it asks for one attempt or its expiration has
    /// passed. Milliseconds since 1970.
    func storageEnds(receivedAt now: Int64) -> Int64 {
        let asked = min(max(0, expiration.secondsSince1970), WorldClock.range.upperBound / 1000) * 1000
        return max(now, min(now + BroadcastChannel.maximumStorage, asked))
    }
}
