/// How a world behaves and how much it may hold.
package struct WorldSettings: Hashable, Sendable, Codable {
    /// What happens to a device token that is not registered.
    package enum UnknownDevicePolicy: String, Hashable, Sendable, CaseIterable, Codable {
        /// It is registered on first use, with the topic and the environment of that use.
        case open
        /// It is refused with `BadDeviceToken`.
        case strict
    }

    package var unknownDevices = UnknownDevicePolicy.open
    /// Whether well-formed provider tokens of unknown keys are accepted, marked as unverified. They may push to any topic,
    /// because nothing is known about their team.
    package var acceptsAnyKey = false
    /// How long after an uninstall sends are still accepted, in milliseconds. The real service takes a long time, which varies
    /// to protect privacy (docs/reference/apns.md 3.6).
    package var unregisteredDelay: Int64 = 0
    /// How many notifications one device token accepts in a period; nil for no limit (docs/reference/apns.md 11, row
    /// 27).
    package var deviceRate: DeviceRate?
    /// The same for broadcasts to one channel.
    package var channelRate: DeviceRate?
    /// How many pushes of a kind the system delivers in a period.
    package var budgets = DeliveryBudgets.lifted
    /// In low-power mode pushes of priority 5 are delivered together at each multiple of this, in milliseconds. Apple says
    /// that they are grouped, but not how (docs/reference/apns.md 7.1); 15 minutes are our choice.
    package var powerGroup: Int64 = 900_000
    /// How long a connection may be idle, in milliseconds; nil for no limit.
    package var idleTimeout: Int64?
    /// Whether the gateway serves requests or refuses all of them.
    package var availability = Availability.serving
    /// Streams at a time once a connection has proven itself (docs/reference/apns.md 1.3).
    package var maximumConcurrentStreams: UInt32 = 1000
    package var contested = ContestedSettings()
    package var seed: UInt64 = 0

    /// How many journal entries are kept; the oldest are removed first.
    package var retain = 10_000
    /// How much memory the journal may use; the oldest entries are removed first.
    package var maximumJournalBytes = 256 << 20
    /// How many devices one environment has. At the limit, open registration removes the device that was registered on use
    /// longest ago; if there is none, the request is refused with `ServiceUnavailable`.
    package var maximumDevices = 100_000
    package var maximumApps = 10_000
    /// How many channels an app has in one environment (docs/reference/apns.md 7.4).
    package var maximumChannelsOfApp = 10_000
    /// How many channels all apps have together; beyond it `ServiceUnavailable`.
    package var maximumChannels = 100_000
    /// How many channels one device subscribes to.
    package var maximumSubscriptions = 100
    package var maximumFaults = 256
    package var maximumKeys = 10_000
    /// How many verified provider tokens are remembered, so that each signature is checked once.
    package var maximumVerifiedTokens = 1024
    /// How many deliveries are kept for a device's connection to resume after.
    package var maximumHistory = 256
    /// How many notifications wait for a device whose connection was interrupted.
    package var maximumWaiting = 256

    package init() {}

    package enum Availability: String, Hashable, Sendable, CaseIterable, Codable {
        case serving
        /// Every request is refused with `InternalServerError`.
        case failing
        /// Every request is refused with `ServiceUnavailable`.
        case overloaded
        /// Every request is refused with `Shutdown`.
        case stopping
    }

    package struct DeviceRate: Hashable, Sendable, Codable {
        package var count: Int
        /// Milliseconds.
        package var period: Int64

        package init(count: Int, period: Int64) {
            self.count = count
            self.period = period
        }
    }
}
