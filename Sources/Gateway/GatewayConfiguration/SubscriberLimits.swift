/// What subscribers of the control API's event streams may hold.
package enum SubscriberLimits {
    /// Items that wait for one subscriber. A subscriber that falls further behind is disconnected.
    package static let capacity = 512
    /// `WorldSettings.maximumHistory`: more than a subscriber can have on the way, so that it misses nothing when it
    /// reconnects with `Last-Event-ID`.
    package static let history = 2048
    /// Events of a world that are kept for clients that resume; more than `capacity`, for the same reason.
    package static let eventHistory = 1024
    /// `WorldSettings.maximumWaiting`. All of them may be delivered at once, so `capacity` has room for them.
    package static let waiting = 256
    /// Subscribers of devices and of events together, in each world.
    package static let maximumSubscribers = 12_000
}
