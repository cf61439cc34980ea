package import APNSModel

/// One app on one device, addressed by its device token.
package struct Device: Hashable, Sendable, Codable {
    package enum Registration: Hashable, Sendable, Codable {
        case active
        /// The app was removed, at this time in milliseconds since 1970.
        case uninstalled(at: Int64)
    }

    package enum AppState: String, Hashable, Sendable, CaseIterable, Codable {
        case foreground, background, suspended, terminated
        case forceQuit = "force-quit"
    }

    /// How the device hangs on the gateway.
    package enum Link: Hashable, Sendable, Codable {
        /// It never connected, or it went offline: the newest notification is stored.
        case none
        /// So many listeners are connected: notifications are delivered.
        case connected(listeners: Int)
        /// The last listener left while the device was online: all notifications wait, in order, for it to resume.
        case interrupted
    }

    package let token: DeviceToken
    package let environment: APNSEnvironment
    package let kind: DeviceKind
    /// With the suffix of its kind.
    package let topic: Topic
    /// Counts the devices of an environment in the order in which they were first registered.
    package let ordinal: UInt64
    /// Whether nobody registered it but open registration; such a device may be forgotten when there are too many.
    package internal(set) var isImplicit: Bool
    /// The last time the app reported the device token. Milliseconds since 1970.
    package internal(set) var registeredAt: Int64
    /// When the device token expires by itself (`ExpiredToken`); nil for never. Milliseconds since 1970.
    package internal(set) var expiresAt: Int64?
    package internal(set) var registration = Registration.active
    /// When sends begin to get `Unregistered` after an uninstall; nil goes by `unregisteredDelay`. Milliseconds since 1970.
    var noticedAt: Int64?
    package internal(set) var isOnline = true
    /// When a device that a fault rule took offline is back; nil for not by itself. Milliseconds since 1970.
    package internal(set) var backAt: Int64?
    package internal(set) var appState = AppState.background
    package internal(set) var isInLowPower = false
    package internal(set) var allowsBackgroundRefresh = true
    package internal(set) var link = Link.none
    /// Those that it subscribes to, in the order in which it named them.
    package internal(set) var channels: [ChannelID] = []

    /// Accepted notifications that have not reached the device, oldest first.
    var waiting: [StoredDelivery] = []
    /// What reached the device, oldest first; kept from the first listener on.
    var history: [Delivery] = []
    var rate = RateCount()

    init(
        token: DeviceToken, environment: APNSEnvironment, kind: DeviceKind, topic: Topic, ordinal: UInt64,
        isImplicit: Bool, registeredAt: Int64
    ) {
        self.token = token
        self.environment = environment
        self.kind = kind
        self.topic = topic
        self.ordinal = ordinal
        self.isImplicit = isImplicit
        self.registeredAt = registeredAt
    }

    package var isInstalled: Bool { registration == .active }

    package var listeners: Int {
        if case .connected(let listeners) = link { listeners } else { 0 }
    }

    /// How many accepted notifications have not reached the device yet.
    package var waitingCount: Int { waiting.count }

    var isReachable: Bool { isOnline && listeners > 0 }
}

/// What a client changes about a device; nil leaves as it is.
package struct DevicePatch: Hashable, Sendable {
    package var isOnline: Bool?
    /// Kept and reported; delivery looks at `isOnline` alone.
    package var isInLowPower: Bool?
    /// Kept and reported, like `isInLowPower`.
    package var allowsBackgroundRefresh: Bool?
    /// Kept and reported, like `isInLowPower`.
    package var appState: Device.AppState?
    /// Milliseconds since 1970; from then on sends get `ExpiredToken`.
    package var expiresAt: Int64?

    package init(
        isOnline: Bool? = nil, isInLowPower: Bool? = nil, allowsBackgroundRefresh: Bool? = nil,
        appState: Device.AppState? = nil, expiresAt: Int64? = nil
    ) {
        self.isOnline = isOnline
        self.isInLowPower = isInLowPower
        self.allowsBackgroundRefresh = allowsBackgroundRefresh
        self.appState = appState
        self.expiresAt = expiresAt
    }
}
