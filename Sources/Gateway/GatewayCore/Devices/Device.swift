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

    /// Its budget for the pushes of its kind that the system counts.
    package enum BudgetChoice: Hashable, Sendable, Codable {
        /// The world's budget for the kind.
        case world
        /// No limit, as for an app that runs from Xcode.
        case lifted
        case own(DeliveryBudget)
    }

    /// How the device is connected to the gateway.
    package enum Connection: Hashable, Sendable, Codable {
        /// It never connected, or it went offline: the newest notification is stored.
        case none
        /// Listeners are connected: notifications are delivered.
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
    /// Whether open registration added it on use; such a device may be removed when there are too many.
    package internal(set) var isImplicit: Bool
    /// When the app last reported the device token. Milliseconds since 1970.
    package internal(set) var registeredAt: Int64
    /// When the device token expires by itself (`ExpiredToken`); nil for never. Milliseconds since 1970.
    package internal(set) var expiresAt: Int64?
    package internal(set) var registration = Registration.active
    /// When sends begin to get `Unregistered` after an uninstall; nil uses `unregisteredDelay`. Milliseconds since 1970.
    var noticedAt: Int64?
    package internal(set) var isOnline = true
    /// When a device that a fault rule took offline comes back; nil if it does not. Milliseconds since 1970.
    package internal(set) var backAt: Int64?
    package internal(set) var appState = AppState.background
    /// Whether the device is in use; priority 1 does not wake it.
    package internal(set) var isAwake = true
    package internal(set) var isInLowPower = false
    /// Low Data Mode of its network.
    package internal(set) var isInLowData = false
    package internal(set) var allowsBackgroundRefresh = true
    /// Whether its user lets the app show notifications.
    package internal(set) var allowsNotifications = true
    package internal(set) var budget = BudgetChoice.world
    package internal(set) var budgetUse = BudgetUse()
    /// The Live Activity of a device token of that kind.
    package internal(set) var activity = LiveActivity()
    /// The device token that the app has now, after it was reinstalled or restored.
    package internal(set) var successor: DeviceToken?
    /// The device token that this one replaced.
    package internal(set) var predecessor: DeviceToken?
    package internal(set) var connection = Connection.none
    /// The channels that it subscribes to, in the order of the subscription.
    package internal(set) var channels: [ChannelID] = []

    /// Accepted notifications that have not reached the device, oldest first.
    package internal(set) var waiting: DeliveryList<StoredDelivery> = []
    /// What reached the device, oldest first; kept from the first listener on.
    package internal(set) var history: DeliveryList<Delivery> = []
    var rate = RateCount()
    /// Its wake-up: when the next change is due; `Int64.max` for never. Milliseconds since 1970.
    var wakeUpAt = Int64.max
    /// How many entries `DeviceTable` has about `history`; some may be about deliveries that have left it.
    var agedCount = 0

    enum CodingKeys: CodingKey, CaseIterable {
        case token, environment, kind, topic, ordinal, isImplicit, registeredAt, expiresAt, registration, noticedAt
        case isOnline, backAt, appState, isAwake, isInLowPower, isInLowData, allowsBackgroundRefresh
        case allowsNotifications, budget, budgetUse, activity, successor, predecessor, channels, waiting, history, rate
        case wakeUpAt, connection
    }

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
        if case .connected(let listeners) = connection { listeners } else { 0 }
    }

    /// The memory of what it has received and of what waits for it, in bytes.
    var deliveryBytes: Int { history.heldBytes + waiting.heldBytes }

    /// Its memory without its deliveries, in bytes: its values, its strings, and its places in tables.
    static let fixedBytes = MemoryLayout<Device>.stride + 328 + OrdinalIndex<Int>.bytesPerElement

    /// A copy for those who read it later: a history that is shared has to be copied when it changes.
    package var withoutHistory: Device {
        var device = self
        device.history = []
        return device
    }

    /// How many accepted notifications have not reached the device yet.
    package var waitingCount: Int { waiting.count }

    var isReachable: Bool { isOnline && listeners > 0 }

    /// - Parameter budgets: The world's budgets.
    /// - Returns: Nil for no limit.
    func budget(_ budgets: DeliveryBudgets) -> DeliveryBudget? {
        switch budget {
        case .world: budgets.budget(of: kind)
        case .lifted: nil
        case .own(let budget): budget
        }
    }
}
